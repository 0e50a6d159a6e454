package overhead

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"

	"ocr/internal/core/sys"
)

// A counted event has a figure in each sample: how often it happened an operation.
type counted struct {
	unit  string
	event sys.Event
}

// hardware are the events that the processor counts, if it does.
var hardware = []counted{
	{"cycles/op", sys.CPUCycles}, {"instructions/op", sys.Instructions}, {"cache-misses/op", sys.CacheMisses},
}

// countable returns the events that can be counted here. The notes say why the others
// cannot, with one note for events that have the same reason.
func countable(events []counted) (can []counted, notes []string) {
	for _, e := range events {
		err := sys.CanCount(e.event)
		if err == nil {
			can = append(can, e)
			continue
		}
		what, _, _ := strings.Cut(e.unit, "/")
		why := fmt.Sprintf(" not counted: %v", err)
		last := len(notes) - 1
		if last >= 0 && strings.HasSuffix(notes[last], why) {
			notes[last] = strings.TrimSuffix(notes[last], why) + ", " + what + why
		} else {
			notes = append(notes, what+why)
		}
	}
	return can, notes
}

// counting has the bench's events counted while f takes a sample.
func (b *Bench) counting(f func() error) error {
	defer func() {
		for _, c := range b.counters {
			c.Close()
		}
		b.counters = nil
	}()
	for _, e := range b.events {
		c, err := sys.OpenCounter(e.event)
		if err != nil {
			return fmt.Errorf("count %s: %w", e.unit, err)
		}
		b.counters = append(b.counters, c)
	}
	return f()
}

// Spent is what the program has allocated on the heap, and how often each of the bench's events has happened, from
// begin, at the first timed round, to end, at the last: what is done between the timed parts is included.
type Spent struct {
	Mallocs, Bytes uint64
	Events         []uint64
}

func (p *Spent) begin(b *Bench) {
	p.Mallocs, p.Bytes = heap()
	p.Events = b.readCounters()
}

func (p *Spent) end(b *Bench) {
	for k, n := range b.readCounters() {
		p.Events[k] = n - p.Events[k]
	}
	mallocs, bytes := heap()
	p.Mallocs, p.Bytes = mallocs-p.Mallocs, bytes-p.Bytes
}

// heap returns how many objects and bytes the program has allocated so far.
func heap() (mallocs, bytes uint64) {
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.Mallocs, m.TotalAlloc
}

func (b *Bench) readCounters() []uint64 {
	all := slices.Repeat([]uint64{0}, len(b.counters))
	for k, c := range b.counters {
		all[k] = c.Read()
	}
	return all
}
