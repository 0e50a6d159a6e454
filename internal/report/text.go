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
	switch {
	case d.Text == nil:
		d.textHead(&b)
		d.textTable(&b)
		d.textCounters(&b)
	default:
		d.textOwn(&b)
	}
	if d.Stats != nil {
		b.WriteByte('\n')
		d.Stats.write(&b)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (d *Document) textHead(b *bytes.Buffer) {
	d.textState(b)
	d.textFacts(b)
	d.textNotes(b)
}

func (d *Document) textState(b *bytes.Buffer) {
	state := "not verified"
	if d.Verified {
		state = "verified"
	}
	if d.Partial {
		state += ", partial: not all samples were taken"
	}
	fmt.Fprintf(b, "%s: %s\n\n", d.App, state)
}

func (d *Document) textFacts(b *bytes.Buffer) {
	var settings []string
	for _, s := range d.Config {
		if text := fmt.Sprint(s.Value); text != "" {
			settings = append(settings, s.Key+"="+text)
		}
	}
	labelled(b, "config", settings...)
	m, build := d.Machine, d.Build
	labelled(b, "machine", fmt.Sprintf("%s, %s, %s, %s a core", m.CPU, count(m.Sockets, "socket"), count(m.Cores, "core"), count(m.SMT, "thread")))
	for _, cache := range m.Caches {
		labelled(b, "cache", cache)
	}
	for _, node := range m.NUMA {
		labelled(b, "numa", node)
	}
	labelled(b, "cpus", fmt.Sprintf("mask %s, workers on %s (read back)", m.Mask, placement(m.Placement)))
	labelled(b, "system", fmt.Sprintf("%s, governor %s, clock resolution %d ns", m.Kernel, m.Governor, m.ClockResolutionNS))
	commit := "commit " + build.Commit
	if build.Dirty {
		commit += " (dirty)"
	}
	labelled(b, "build", fmt.Sprintf("ocrbench %s, %s, %s, GOMAXPROCS=%d, GOGC=%d", build.Version, commit, build.Go, build.GOMAXPROCS, build.GOGC))
}

// textNotes ends the head, with an empty line.
func (d *Document) textNotes(b *bytes.Buffer) {
	for _, warning := range d.Warnings {
		labelled(b, "note", warning)
	}
	b.WriteByte('\n')
}

// labelled writes words in lines after a label, which stands in the first only.
func labelled(b *bytes.Buffer, label string, words ...string) {
	for _, text := range wrap(words, textWidth) {
		fmt.Fprintf(b, "%-8s  %s\n", label, text)
		label = ""
	}
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
			fmt.Fprintf(t, "%s\t%s\t%s\t%s .. %s\t%s\t%d", names[i], m.Unit, Short(s.Median), Short(s.Lo), Short(s.Hi), Short(s.Min), s.N)
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
	return "x" + Short(s.Median/base.Median)
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
	labelled(b, "counters", told...)
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
