package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ocr/internal/measure/machine"
)

// Fact is a fact on which the results of a document depend, or a count of their run.
type Fact struct {
	Kind  string // an element of kinds
	Key   string
	Value string // one line
	// Moves says that the fact may differ between two comparable runs: the commit, memory, the workers' processors, the
	// sampling.
	Moves bool
}

// kinds are the kinds of facts in the order in which they are shown.
var kinds = []string{"machine", "build", "config", "ranks", "counters"}

// procedural are settings of the sampling: two runs that differ only in them measure the same.
var procedural = map[string]bool{"samples": true, "warmup": true, "sample-time": true, "env": true}

// Rank is one rank's part of a run over several ranks.
type Rank struct {
	Placement []int  `json:"placement"` // CPU of each of its workers, read back; -1 if unknown
	EDTs      uint64 `json:"edts"`      // that ran there
}

// Facts lists the facts of a document that have a text, by kind.
func (d *Document) Facts() []Fact {
	const fixed, moves = false, true
	m, b := d.Machine, d.Build
	var list []Fact
	add := func(kind, key string, value any, mobile bool) {
		if text := oneLine(value); text != "" {
			list = append(list, Fact{kind, key, text, mobile})
		}
	}
	add("machine", "cpu", m.CPU, fixed)
	add("machine", "sockets", m.Sockets, fixed)
	add("machine", "cores", m.Cores, fixed)
	add("machine", "smt", m.SMT, fixed)
	add("machine", "caches", strings.Join(m.Caches, "; "), fixed)
	add("machine", "numa", strings.Join(m.NUMA, "; "), moves)
	add("machine", "mask", m.Mask, fixed)
	if m.Quota > 0 {
		add("machine", "cpu-quota", m.Quota, fixed)
	}
	add("machine", "kernel", m.Kernel, moves)
	add("machine", "governor", m.Governor, fixed)
	add("build", "version", b.Version, moves)
	add("build", "commit", b.Commit, moves)
	add("build", "dirty", b.Dirty, moves)
	add("build", "pgo", b.PGO, fixed)
	add("build", "go", b.Go, fixed)
	add("build", "gomaxprocs", b.GOMAXPROCS, moves)
	add("build", "gogc", b.GOGC, fixed)
	add("config", "app", d.App, fixed)
	for _, s := range d.Config {
		add("config", s.Key, s.text(), procedural[s.Key])
	}
	add("config", "placement", placement(m.Placement), moves)
	if len(d.Ranks) > 0 {
		add("ranks", "placement-by-rank", d.byRank(func(r Rank) string { return placement(r.Placement) }), moves)
		add("ranks", "edts-by-rank", d.byRank(func(r Rank) string { return strconv.FormatUint(r.EDTs, 10) }), moves)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Counters)) {
		add("counters", key, d.Counters[key], moves)
	}
	return list
}

func (d *Document) byRank(of func(Rank) string) string {
	values := make([]string, len(d.Ranks))
	for k, r := range d.Ranks {
		values[k] = of(r)
	}
	return strings.Join(values, ";")
}

// FactWords writes the known facts of a kind in one line.
func (d *Document) FactWords(kind string) string {
	form, between := "%s %s", ", "
	if kind == "config" || kind == "counters" {
		form, between = "%s=%s", " "
	}
	var words []string
	for _, f := range d.Facts() {
		if f.Kind == kind && f.Value != machine.Unknown {
			words = append(words, fmt.Sprintf(form, f.Key, f.Value))
		}
	}
	return strings.Join(words, between)
}

// Differences returns a line for each fact that differs between two documents, such as "config forms: edt ->
// edt,serial". It leaves out counts.
func Differences(before, after *Document) (lines []string) {
	old, now := before.Facts(), after.Facts()
	for _, f := range slices.Concat(old, now) {
		was, is := valueOf(old, f), valueOf(now, f)
		line := fmt.Sprintf("%s %s: %s -> %s", f.Kind, f.Key, cmp.Or(was, "(none)"), cmp.Or(is, "(none)"))
		counted := f.Kind == "ranks" || f.Kind == "counters" // found in the run, not chosen by the user
		if was != is && !counted && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// valueOf looks in a list for the fact with the kind and key of other. It returns the fact's value, "" for no fact.
func valueOf(list []Fact, other Fact) string {
	for _, f := range list {
		if f.Kind == other.Kind && f.Key == other.Key {
			return f.Value
		}
	}
	return ""
}

// placement writes the CPU of each worker, in the order of the workers.
func placement(cpus []int) string {
	if len(cpus) == 0 {
		return "none"
	}
	list := make([]string, len(cpus))
	for i, cpu := range cpus {
		list[i] = "?"
		if cpu >= 0 {
			list[i] = strconv.Itoa(cpu)
		}
	}
	return strings.Join(list, ",")
}

func oneLine(value any) string { return strings.Join(strings.Fields(fmt.Sprint(value)), " ") }
