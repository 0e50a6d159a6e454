package report

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"ocr/internal/bench"
)

// writeText writes for people: what ran and on what, then a table.
func (d *Document) writeText(w io.Writer) error {
	var b bytes.Buffer
	d.textHead(&b)
	d.textTable(&b)
	d.textCounters(&b)
	_, err := w.Write(b.Bytes())
	return err
}

func (d *Document) textHead(b *bytes.Buffer) {
	state := "not verified"
	if d.Verified {
		state = "verified"
	}
	if d.Partial {
		state += ", partial: interrupted before all samples were taken"
	}
	fmt.Fprintf(b, "%s: %s\n\n", d.App, state)
	line := func(label string, parts ...string) {
		for i, text := range wrap(parts, textWidth) {
			if i > 0 {
				label = ""
			}
			fmt.Fprintf(b, "%-8s  %s\n", label, text)
		}
	}
	var settings []string
	for _, s := range d.Config {
		if text := fmt.Sprint(s.Value); text != "" {
			settings = append(settings, s.Key+"="+text)
		}
	}
	line("config", settings...)
	m, build := d.Machine, d.Build
	line("machine", fmt.Sprintf("%s, %s, %s, %s a core", m.CPU, count(m.Sockets, "socket"), count(m.Cores, "core"), count(m.SMT, "thread")))
	for _, cache := range m.Caches {
		line("cache", cache)
	}
	for _, node := range m.NUMA {
		line("numa", node)
	}
	line("cpus", fmt.Sprintf("mask %s, workers on %s (read back)", m.Mask, placement(m.Placement)))
	line("system", fmt.Sprintf("%s, governor %s, clock resolution %d ns", m.Kernel, m.Governor, m.ClockResolutionNS))
	commit := "commit " + build.Commit
	if build.Dirty {
		commit += " (dirty)"
	}
	line("build", fmt.Sprintf("ocrbench %s, %s, %s, GOMAXPROCS=%d, GOGC=%d", build.Version, commit, build.Go, build.GOMAXPROCS, build.GOGC))
	for _, warning := range d.Warnings {
		line("note", warning)
	}
	b.WriteByte('\n')
}

// textWidth is where a line of settings ends.
const textWidth = 100

// wrap joins words by spaces into lines of at most width bytes, or of one word.
func wrap(words []string, width int) []string {
	var lines []string
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

func (d *Document) textTable(b *bytes.Buffer) {
	if len(d.Results) == 0 {
		b.WriteString("no sample was completed\n")
		return
	}
	names := shortNames(d.Results)
	baseline := ""
	for i, r := range d.Results {
		if r.Name == d.Baseline {
			baseline = names[i]
		}
	}
	t := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	header := "result\tunit\tmedian\t95 % interval\tmin\tn"
	if baseline != "" {
		header += "\tvs " + baseline
	}
	fmt.Fprintln(t, header)
	for i, r := range d.Results {
		for _, m := range r.Metrics {
			s := bench.Summarize(m.Samples)
			fmt.Fprintf(t, "%s\t%s\t%s\t%s .. %s\t%s\t%d", names[i], m.Unit, short(s.Median), short(s.Lo), short(s.Hi), short(s.Min), s.N)
			if baseline != "" {
				fmt.Fprintf(t, "\t%s", d.ratio(r.Name, m.Unit, s))
			}
			fmt.Fprintln(t)
		}
	}
	t.Flush()
}

// ratio tells how many times the baseline's median this one is.
func (d *Document) ratio(name, unit string, s bench.Summary) string {
	base, ok := d.find(d.Baseline, unit)
	if !ok || base.Median == 0 {
		return "-"
	}
	if name == d.Baseline {
		return "1"
	}
	return "x" + short(s.Median/base.Median)
}

func (d *Document) textCounters(b *bytes.Buffer) {
	if len(d.Counters) == 0 {
		return
	}
	told := []string{"of one run:"}
	for _, key := range slices.Sorted(maps.Keys(d.Counters)) {
		told = append(told, key+"="+strconv.FormatUint(d.Counters[key], 10))
	}
	b.WriteByte('\n')
	for i, text := range wrap(told, textWidth) {
		label := "counters"
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(b, "%-8s  %s\n", label, text)
	}
}

// shortNames drops from every name the app and the settings that all results
// share: the head of the text tells them.
func shortNames(results []Result) []string {
	shared := map[string]int{}
	for _, r := range results {
		for _, part := range strings.Split(r.Name, "/") {
			shared[part]++
		}
	}
	names := make([]string, len(results))
	for i, r := range results {
		_, rest, _ := strings.Cut(r.Name, "/")
		var kept []string
		for _, part := range strings.Split(rest, "/") {
			if !strings.Contains(part, "=") || shared[part] < len(results) {
				kept = append(kept, part)
			}
		}
		names[i] = strings.Join(kept, "/")
		if names[i] == "" {
			names[i] = r.Name
		}
	}
	return names
}

// placement writes the CPU of each worker, in the order of the workers.
func placement(cpus []int) string {
	if len(cpus) == 0 {
		return "none"
	}
	told := make([]string, len(cpus))
	for i, cpu := range cpus {
		told[i] = "?"
		if cpu >= 0 {
			told[i] = strconv.Itoa(cpu)
		}
	}
	return strings.Join(told, ",")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
