package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ocr/edt"
)

// Each makes runs of a pool take n of its workers each, so that several are on beside each other; without it a run
// takes all. [Pool.With] says otherwise for one run. n is 1 to the number of workers; over [Ranks] a run takes all. It
// is an option of [New]. [Memory] is shared out: a run has as much of it as it has of the workers. [AtEnd], [Into] and
// [Inspect] are then options of With.
func Each(n int) Option { return ofNew("Each", func(s *settings) { s.each = n }) }

// With returns a Runner of the pool whose runs have more options: [Workers] for as many of the pool's workers, [AtEnd],
// [Into] and [Inspect] for what they say of this run, [Argv], [LeakReport], [Logger], [Observe] and [TrackSites]. All
// others belong to New: then its runs end with an [*OptionError]. Runs wait in line as [Pool.Run] says.
func (p *Pool) With(opts ...Option) Runner {
	if p == nil || p.leases == nil {
		return Runner{p.Run}
	}
	s, err := p.with(opts)
	return Runner{func(ctx context.Context, main edt.Func) error {
		if err != nil {
			return err
		}
		return p.run(ctx, main, s)
	}}
}

// with is the settings of a run with more options.
func (p *Pool) with(opts []Option) (*settings, error) {
	s := *p.base
	s.workers, s.ofNew = p.each.workers, ""
	s.atBegin = slices.Clip(s.atBegin)
	s.atEnd, s.looks, s.observers = slices.Clip(s.atEnd), slices.Clip(s.looks), slices.Clip(s.observers)
	Options(opts...)(&s)
	option, total := fmt.Sprintf("Workers(%d)", s.workers), p.base.workers
	switch {
	case s.refused != nil:
		return nil, s.refused
	case s.ofNew != "":
		return nil, &OptionError{s.ofNew, "it belongs to New: all runs of the pool have it"}
	case s.workers < 1 || s.workers > total:
		return nil, &OptionError{option, fmt.Sprintf("want 1 to %d, the workers of the pool", total)}
	case s.workers < total && s.numRanks == 1 && len(p.base.atEnd)+len(p.base.looks) > 0:
		return nil, &OptionError{option, besideOthers}
	}
	return p.sized(s, s.workers), nil
}

const besideOthers = "runs may be on beside each other: give AtEnd, Into and Inspect to With, not to New"

// sized makes settings those of a run of n workers.
func (p *Pool) sized(s settings, n int) *settings {
	total := p.base.workers
	if s.workers = n; s.numRanks > 1 {
		s.workers = total
	}
	if s.workers < total {
		s.memory = cmp.Or(s.memory, totalMemory()) / uint64(total) * uint64(n)
	}
	return &s
}

// checkEach says whether runs can be beside each other.
func (s *settings) checkEach() error {
	option := fmt.Sprintf("Each(%d)", s.each)
	switch {
	case s.each == unset:
		return nil
	case s.each < 1 || s.each > s.workers:
		return &OptionError{option, fmt.Sprintf("want 1 to %d, the workers of the pool", s.workers)}
	case s.each < s.workers && s.numRanks == 1 && len(s.atEnd)+len(s.looks) > 0:
		return &OptionError{option, besideOthers}
	}
	return nil
}

// ofNew is an option that With refuses.
func ofNew(name string, set Option) Option {
	return func(s *settings) {
		s.ofNew = name
		set(s)
	}
}
