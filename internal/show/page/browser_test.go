package page_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ocr/internal/measure/bench"
	"ocr/internal/proof/testrun"
	"ocr/internal/show/page"
	"ocr/internal/show/report"
)

// results are more files to show in the browser, as results of the machine at hand:
//
//	go test ./internal/show/page -run InBrowser -results '/tmp/*.json'
var results = flag.String("results", "", "`GLOB` of saved results that TestInBrowser shows too")

// widths are those of a telephone and of a desk, in pixels.
var widths = []int{400, 1400}

// measure.html loads each page in frames of these widths and reports what it finds.
//
//go:embed testdata/measure.html
var measure string

// seen is what the browser reports of one page at one width.
type seen struct {
	Page      string   `json:"page"`
	Width     int      `json:"width"`
	Wider     int      `json:"wider"`     // by how much the page is wider than its window
	Overlaps  []string `json:"overlaps"`  // texts that overlap
	Resources []string `json:"resources"` // what was loaded besides the page
	Texts     int      `json:"texts"`
	Text      string   `json:"text"` // all that can be read

	Name    string      `json:"name"`    // of the first result; the test searches for it
	Found   []string    `json:"found"`   // names of the results that the search finds
	Medians [][]float64 `json:"medians"` // of each list in the overview, once the page has ordered it by median
}

// TestInBrowser shows pages of every kind in Chromium at both widths: nothing overlaps or sticks out, nothing is
// loaded, the console stays empty, and every result's name, median and interval can be read. One more page breaks each
// of these rules: the test must find it.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds: not in short tests")
	}
	browser := findBrowser()
	if browser == "" {
		t.Skip("no browser: needs chromium, chromium-browser or google-chrome in PATH (Debian: apt-get install chromium)")
	}
	const broken = "broken"
	pages, shown := map[string]string{broken: `<!DOCTYPE html><body><p>one<p style="margin-top:-30px">two
		<p style="width:2000px">wide<img src="/nowhere.png"><script>console.error("oh no")</script>`,
	}, map[string][]*report.Document{}
	for name, files := range kinds(t) {
		pages[name], shown[name] = write(t, files...), files
	}
	found, console := look(t, browser, pages)
	if len(found) != len(pages)*len(widths) {
		t.Fatalf("the browser told of %d pages at %d widths %d times", len(pages), len(widths), len(found))
	}
	for _, s := range found {
		if s.Page == broken {
			if s.Wider == 0 || len(s.Overlaps) == 0 || len(s.Resources) == 0 {
				t.Errorf("nothing was found wrong with the broken page: %+v", s)
			}
			continue
		}
		t.Run(fmt.Sprintf("%s/%d", s.Page, s.Width), func(t *testing.T) { s.check(t, shown[s.Page]) })
	}
	console = slices.DeleteFunc(console, func(line string) bool {
		return strings.Contains(line, "/"+broken) || strings.Contains(line, "nowhere.png")
	})
	if len(console) > 0 {
		t.Errorf("the console says:\n%s", strings.Join(console, "\n"))
	}
}

func (s seen) check(t *testing.T, files []*report.Document) {
	if s.Wider > 0 {
		t.Errorf("the page is %d pixels wider than its window", s.Wider)
	}
	if len(s.Overlaps) > 0 {
		t.Errorf("%d texts overlap:\n%s", len(s.Overlaps), strings.Join(s.Overlaps[:min(len(s.Overlaps), 10)], "\n"))
	}
	if len(s.Resources) > 0 {
		t.Errorf("the page loads %v", s.Resources)
	}
	if s.Texts < 20 {
		t.Errorf("%d texts only were seen", s.Texts)
	}
	if len(s.Found) == 0 || slices.ContainsFunc(s.Found, func(name string) bool {
		return !strings.Contains(name, s.Name)
	}) {
		t.Errorf("%q finds %q", s.Name, s.Found)
	}
	if len(s.Medians) == 0 || slices.ContainsFunc(s.Medians, func(list []float64) bool { return !slices.IsSorted(list) }) {
		t.Errorf("ordered by their medians: %v", s.Medians)
	}
	text := strings.Join(strings.Fields(s.Text), " ")
	for _, f := range files {
		for _, r := range f.Results {
			for _, m := range r.Metrics {
				a := bench.Summarize(m.Samples)
				median, interval := page.Short(a.Median)+" "+m.Unit, page.Short(a.Lo)+" .. "+page.Short(a.Hi)
				if a.N == 1 {
					interval = "" // the number itself
				}
				if !strings.Contains(text, r.Name) || !strings.Contains(text, median) || !strings.Contains(text, interval) {
					t.Errorf("%s: cannot read its name, %s or %s", r.Name, median, interval)
				}
			}
		}
	}
}

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// consoleLine matches a message of a page's console in Chromium's log.
var consoleLine = regexp.MustCompile(`:CONSOLE[:(].*`)

// look shows pages in a browser. It returns what the browser reports, and the messages of its console, among them the
// broken page's error.
func look(t *testing.T, browser string, pages map[string]string) ([]seen, []string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	var posted []byte
	told := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		name := strings.TrimPrefix(r.URL.Path, "/")
		if pages[name] == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, pages[name])
	})
	mux.HandleFunc("GET /measure", func(w http.ResponseWriter, r *http.Request) {
		var names []string
		for name := range pages {
			names = append(names, name)
		}
		list, err := json.Marshal(map[string]any{"pages": names, "widths": widths})
		if err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, strings.Replace(measure, "{{ASKED}}", string(list), 1))
	})
	mux.HandleFunc("POST /seen", func(_ http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		_, err := b.ReadFrom(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if err == nil && posted == nil {
			posted = b.Bytes()
			close(told)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-extensions", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--enable-logging=stderr", "--remote-debugging-port=0", server.URL+"/measure")
	var log bytes.Buffer
	cmd.Stderr = &log
	cmd.WaitDelay = 5 * time.Second
	testrun.OK(t, cmd.Start())
	select {
	case <-told:
	case <-ctx.Done():
	}
	cancel()
	_ = cmd.Wait() // it was killed
	server.Close()
	mu.Lock()
	defer mu.Unlock()
	var found []seen
	testrun.OK(t, json.Unmarshal(posted, &found), "the browser told nothing\n%s", log.String())
	console := consoleLine.FindAllString(log.String(), -1)
	if !slices.ContainsFunc(console, func(line string) bool { return strings.Contains(line, "oh no") }) {
		t.Errorf("the broken page's error was not found in the console:\n%s", log.String())
	}
	for _, path := range asked {
		// what measure.html and the broken page ask for
		if name := strings.TrimPrefix(path, "/"); pages[name] == "" && path != "/nowhere.png" && path != "/favicon.ico" {
			t.Errorf("a page asked for %s", path)
		}
	}
	return found, console
}

// kinds are files of every kind of page.
func kinds(t *testing.T) map[string][]*report.Document {
	all := map[string][]*report.Document{
		"forms":   {file("forms.json", forms(1))},
		"metg":    {file("metg.json", metg(2))},
		"sizes":   {file("sizes.json", sizes())},
		"pairs":   {file("pairs.json", pairs(12))},
		"few":     {file("few.json", few())},
		"groups":  {file("beside.json", beside())},
		"pair":    {file("pair.json", pairs(3))},
		"several": {file("old.json", forms(1)), file("sizes.json", sizes())},
		"odd":     {file(odd, hostile())},
	}
	paths, err := filepath.Glob(*results)
	testrun.OK(t, err)
	for _, path := range paths {
		d, err := report.Read(path)
		testrun.OK(t, err, "%s", path)
		all[filepath.Base(path)] = []*report.Document{d}
	}
	return all
}
