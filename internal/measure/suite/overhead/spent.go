package overhead

import (
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"

	"ocr/internal/core/sys"
	"ocr/internal/measure/bench"
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

// perOp returns the figures of the events of a sample.
func (b *Bench) perOp(s Sample) (values []bench.Value) {
	if s.Unaccounted {
		return nil
	}
	for k, e := range b.events {
		values = append(values, bench.Value{Unit: e.unit, Value: float64(s.Events[k]) / float64(s.Ops)})
	}
	return values
}

// spent is what the program allocates, and how often the events happen, from begin to end.
type spent struct {
	mallocs, bytes uint64
	events         []uint64
}

func (p *spent) begin(b *Bench) {
	p.mallocs, p.bytes = heap()
	p.events = b.readCounters()
}

func (p *spent) end(b *Bench) {
	for k, n := range b.readCounters() {
		p.events[k] = n - p.events[k]
	}
	mallocs, bytes := heap()
	p.mallocs, p.bytes = mallocs-p.mallocs, bytes-p.bytes
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

func (s *Sample) account(p *spent) { s.Mallocs, s.Bytes, s.Events = p.mallocs, p.bytes, p.events }
