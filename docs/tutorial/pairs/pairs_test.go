// Package pairs_test has pairs of programs: the same work by tasks and by goroutines. Both stop when their context is
// done, and return the first error. This file has what the two share.
package pairs_test

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestPairs: both programs of a pair compute the same. The program of tasks has at most 1.3 times the lines of the
// other; at least three have no more.
func TestPairs(t *testing.T) {
	shorter := 0
	for name, same := range map[string]func(t *testing.T){
		"compress": compressSame, "lu": luSame, "server": serverSame, "pipe": pipeSame, "checksums": checksumsSame,
	} {
		t.Run(name, func(t *testing.T) {
			same(t)
			tasks, goroutines := codeLines(t, name+"_tasks_test.go"), codeLines(t, name+"_goroutines_test.go")
			ratio := float64(tasks) / float64(goroutines)
			t.Logf("%d lines of tasks, %d of goroutines: %.2f", tasks, goroutines, ratio)
			if ratio > 1.3 {
				t.Errorf("%.2f times the lines, want at most 1.3", ratio)
			}
			if ratio <= 1 {
				shorter++
			}
		})
	}
	if shorter < 3 {
		t.Errorf("%d programs of tasks have no more lines than those of goroutines, want 3", shorter)
	}
}

// codeLines counts the lines that are neither blank nor a comment.
func codeLines(t *testing.T, file string) (n int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}

const chunk = 4096

// pack compresses a chunk by itself.
func pack(b []byte) []byte {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, flate.BestSpeed)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

func compressSame(t *testing.T) {
	text := strings.Repeat("the quick brown fox jumps over the lazy dog. ", 2000)
	for name, compress := range map[string]func(context.Context, io.Reader, io.Writer) error{
		"tasks": compressTasks, "goroutines": compressGoroutines,
	} {
		var out bytes.Buffer
		err := compress(t.Context(), strings.NewReader(text), &out)
		want := ""
		for at := 0; at < len(text); at += chunk {
			want += string(pack([]byte(text[at:min(len(text), at+chunk)])))
		}
		if err != nil || out.String() != want {
			t.Errorf("%s: error %v, %d bytes, want %d", name, err, out.Len(), len(want))
		}
		broken := errors.New("broken")
		if err := compress(t.Context(), iotest.ErrReader(broken), &out); !errors.Is(err, broken) {
			t.Errorf("%s: %v, want the reader's error", name, err)
		}
	}
}

const tiles, size = 4, 8

// A tile is size rows of a matrix of tiles by tiles.
type (
	tile   = [][]float64
	matrix = [tiles][tiles]tile
)

// factor factors a tile into its two triangles.
func factor(a tile) {
	for k := range size {
		for i := k + 1; i < size; i++ {
			a[i][k] /= a[k][k]
			for j := k + 1; j < size; j++ {
				a[i][j] -= a[i][k] * a[k][j]
			}
		}
	}
}

// solveRow computes a tile to the right of the diagonal tile.
func solveRow(a, diagonal tile) {
	for k := range size {
		for i := k + 1; i < size; i++ {
			for j := range size {
				a[i][j] -= diagonal[i][k] * a[k][j]
			}
		}
	}
}

// solveColumn computes a tile below the diagonal tile.
func solveColumn(a, diagonal tile) {
	for k := range size {
		for i := range size {
			a[i][k] /= diagonal[k][k]
			for j := k + 1; j < size; j++ {
				a[i][j] -= a[i][k] * diagonal[k][j]
			}
		}
	}
}

// update subtracts a product from a tile.
func update(a, left, up tile) {
	for i := range size {
		for k := range size {
			for j := range size {
				a[i][j] -= left[i][k] * up[k][j]
			}
		}
	}
}

func luSame(t *testing.T) {
	at := func(i, j int) float64 { return 1/float64(i+j+1) + float64(size*tiles*max(0, 1-max(i-j, j-i))) }
	for name, lu := range map[string]func(context.Context, matrix) error{"tasks": luTasks, "goroutines": luGoroutines} {
		var m matrix
		for i := range tiles * size {
			for j := range tiles * size {
				in := &m[i/size][j/size]
				if *in == nil {
					*in = make(tile, size)
				}
				(*in)[i%size] = append((*in)[i%size], at(i, j))
			}
		}
		if err := lu(t.Context(), m); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		of := func(i, j int) float64 { return m[i/size][j/size][i%size][j%size] }
		for i := range tiles * size {
			for j := range tiles * size {
				sum := 0.0 // of row i of the lower triangle with column j of the upper one
				for k := 0; k <= min(i, j); k++ {
					lower := of(i, k)
					if k == i {
						lower = 1
					}
					sum += lower * of(k, j)
				}
				if math.Abs(sum-at(i, j)) > 1e-9 {
					t.Fatalf("%s: element %d, %d is %v, want %v", name, i, j, sum, at(i, j))
				}
			}
		}
	}
}

const grain = 1000

// primes counts the primes from lo to hi.
func primes(lo, hi int) (n int) {
	for x := max(2, lo); x < hi; x++ {
		prime := true
		for d := 2; d*d <= x && prime; d++ {
			prime = x%d != 0
		}
		if prime {
			n++
		}
	}
	return n
}

// serverSame asks both servers, also beside a request that would take hours, cancels this request, and asks again: it
// must have ended, as its place serves the next.
func serverSame(t *testing.T) {
	free := make(pools, 2)
	for range cap(free) {
		pool, err := runtime.New(runtime.Workers(1), runtime.Bind(runtime.BindNone))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := pool.Close(); err != nil { // waits for the current run
				t.Error(err)
			}
		}()
		free <- pool
	}
	workers := make(chan bool, 2)
	for name, handler := range map[string]http.Handler{"tasks": serveTasks(free), "goroutines": serveGoroutines(workers)} {
		began, ended := make(chan bool, 10), make(chan bool, 10)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began <- true
			handler.ServeHTTP(w, r)
			ended <- true
		}))
		ask := func(ctx context.Context, n string) (string, error) {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"?n="+n, nil)
			if err != nil {
				return "", err
			}
			answer, err := server.Client().Do(request)
			if err != nil {
				return "", err
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			return strings.TrimSpace(string(text)), err
		}
		ctx, leave := context.WithCancel(t.Context())
		hours := make(chan error, 1)
		go func() {
			_, err := ask(ctx, "4000000000")
			hours <- err
		}()
		<-began
		for n, want := range map[string]string{"10000": "1229", "x": "n: want a number"} {
			if got, err := ask(t.Context(), n); err != nil || got != want {
				t.Errorf("%s: %q, %v, want %s", name, got, err, want)
			}
			<-ended
		}
		leave()
		if err := <-hours; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that the client has left", name, err)
		}
		select {
		case <-ended:
		case <-time.After(testrun.HangAfter()):
			t.Fatalf("%s: the request goes on though its client has left", name)
		}
		if got, err := ask(t.Context(), "100"); err != nil || got != "25" {
			t.Errorf("%s: %q, %v, want 25", name, got, err)
		}
		server.Close()
	}
}

func pipeSame(t *testing.T) {
	for name, pipe := range map[string]func(context.Context, int) (int, error){
		"tasks": pipeTasks, "goroutines": pipeGoroutines,
	} {
		if n, err := pipe(t.Context(), 100); n != 338350 || err != nil {
			t.Errorf("%s: %d, %v, want 338350", name, n, err)
		}
	}
}

const places = 4 // calls at a time

// A checksum is the checksum of the file with this name.
type checksum struct {
	name string
	sum  [sha256.Size]byte
}

// namesIn lists the files of a tree.
func namesIn(tree fs.FS) (names []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

var checksums = map[string]func(context.Context, fs.FS) ([]checksum, error){
	"tasks": checksumsTasks, "goroutines": checksumsGoroutines,
}

func checksumsSame(t *testing.T) {
	tree := fstest.MapFS{}
	var want []checksum
	for k := range 300 {
		name, text := fmt.Sprintf("%d/%03d", k/100, k), bytes.Repeat([]byte{byte(k)}, k*k%5000) // one is empty
		tree[name] = &fstest.MapFile{Data: text}
		want = append(want, checksum{name, sha256.Sum256(text)})
	}
	for name, sums := range checksums {
		if got, err := sums(t.Context(), tree); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: error %v, %d checksums", name, err, len(got))
		}
		if _, err := sums(t.Context(), missing{tree}); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v, want the error of a file", name, err)
		}
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := sums(cancelled, tree); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want that it was cancelled", name, err)
		}
	}
}

// missing is a tree of files. A read of its file 1/137 fails.
type missing struct{ fstest.MapFS }

func (m missing) ReadFile(name string) ([]byte, error) {
	if name == "1/137" {
		return nil, fs.ErrPermission
	}
	return m.MapFS.ReadFile(name)
}

// A weighed tree calls weigh when a number of files have been read, while no other file is being read.
type weighed struct {
	fstest.MapFS
	mu    sync.Mutex
	left  int
	weigh func()
}

func (w *weighed) ReadFile(name string) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left--; w.left == 0 {
		w.weigh()
	}
	return w.MapFS.ReadFile(name)
}

// TestChecksumsMemory: the memory that 11 500 files take more than 100 is for tasks at most 1.3 times that for
// goroutines. The test weighs the live heap when half of the files have been read.
func TestChecksumsMemory(t *testing.T) {
	grown := map[string]float64{}
	for name, sums := range checksums {
		for _, n := range []int{100, 11500} {
			files := fstest.MapFS{}
			for k := range n {
				files[fmt.Sprintf("%d/%d", k/115, k)] = &fstest.MapFile{Data: fmt.Append(nil, k)}
			}
			held, before := 0.0, liveBytes()
			tree := &weighed{MapFS: files, left: n / 2, weigh: func() { held = liveBytes() }}
			if all, err := sums(t.Context(), tree); err != nil || len(all) != n {
				t.Fatal(name, len(all), err)
			}
			grown[name] = held - before - grown[name]
		}
	}
	t.Log("bytes of 11400 files:", grown)
	if ratio := grown["tasks"] / grown["goroutines"]; ratio > 1.3 {
		t.Errorf("%.2f times the memory, want at most 1.3", ratio)
	}
}

// liveBytes returns the bytes of the heap that are in use.
func liveBytes() float64 {
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.GC()
	goruntime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
