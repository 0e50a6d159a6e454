package edttest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Schedule says in which order ready EDTs run, and where. The zero Schedule runs the oldest first, on the workers in
// turn. Schedules print and parse:
//
//	fifo          oldest first
//	lifo          newest first
//	random:SEED   drawn from a seed, as by [Run]
//	overlap:SEED  the same; now and then an EDT starts before the one that made it ready has
//	              ended, and EDTs that wait for a block overtake each other
//	replay:MOVES  oldest first but for some moves, separated by commas
//
// A move is the number of EDTs that were picked before, and the choice:
//
//	7r2  pick the EDT with two older ones before it (rank)
//	7h   postpone the oldest until nothing else can run (hold)
//
// The word tidy before the moves makes every worker go idle after every EDT.
type Schedule struct {
	kind  scheduleKind
	seed  uint64
	tidy  bool
	moves []move
}

type scheduleKind uint8

const (
	oldestFirst scheduleKind = iota
	newestFirst
	randomly
	overlapping
	replayed
)

// A move is a choice other than the oldest EDT, at one step.
type move struct {
	step int
	hold bool
	rank int // without hold: the number of older EDTs
}

func (m move) String() string {
	if m.hold {
		return fmt.Sprintf("%dh", m.step)
	}
	return fmt.Sprintf("%dr%d", m.step, m.rank)
}

// String is the inverse of parseSchedule: the text is for [Replay].
func (s Schedule) String() string {
	switch s.kind {
	case newestFirst:
		return "lifo"
	case randomly:
		return fmt.Sprintf("random:%d", s.seed)
	case overlapping:
		return fmt.Sprintf("overlap:%d", s.seed)
	case replayed:
		var words []string
		if s.tidy {
			words = append(words, tidyWord)
		}
		for _, m := range s.moves {
			words = append(words, m.String())
		}
		return "replay:" + strings.Join(words, ",")
	}
	return "fifo"
}

const tidyWord = "tidy"

// parseSchedule is the inverse of [Schedule.String].
func parseSchedule(text string) (Schedule, error) {
	word, rest, colon := strings.Cut(text, ":")
	switch {
	case text == "fifo":
		return Schedule{}, nil
	case text == "lifo":
		return Schedule{kind: newestFirst}, nil
	case word == "random" && colon:
		return parseSeed(randomly, text, rest)
	case word == "overlap" && colon:
		return parseSeed(overlapping, text, rest)
	case word == "replay" && colon:
		return parseMoves(text, rest)
	}
	return Schedule{}, fmt.Errorf("schedule %q: must be fifo, lifo, random:SEED, overlap:SEED or replay:MOVES", text)
}

func parseSeed(kind scheduleKind, text, digits string) (Schedule, error) {
	seed, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule %q: the seed must be a whole number in 0..%d", text, uint64(math.MaxUint64))
	}
	return Schedule{kind: kind, seed: seed}, nil
}

func parseMoves(text, list string) (Schedule, error) {
	s := Schedule{kind: replayed}
	if word, rest, more := strings.Cut(list, ","); word == tidyWord {
		if s.tidy, list = true, rest; !more {
			return s, nil
		}
	}
	seen := make(map[int]bool)
	for word := range strings.SplitSeq(list, ",") {
		m, ok := parseMove(word)
		if !ok || seen[m.step] {
			return Schedule{}, fmt.Errorf("schedule %q: %q must be a move such as 7r2 or 7h, each step once", text, word)
		}
		seen[m.step] = true
		s.moves = append(s.moves, m)
	}
	return s, nil
}

func parseMove(word string) (m move, ok bool) {
	step, rank, picks := strings.Cut(word, "r")
	if !picks {
		step, m.hold = strings.CutSuffix(word, "h")
	}
	var badStep, badRank error
	m.step, badStep = strconv.Atoi(step)
	if picks {
		m.rank, badRank = strconv.Atoi(rank)
	}
	return m, badStep == nil && badRank == nil && m.step >= 0 && m.rank >= 0 && m.String() == word
}

func (s Schedule) order() order {
	switch s.kind {
	case newestFirst:
		return &planned{newest: true}
	case randomly, overlapping:
		return newDrawn(s.seed, s.kind == overlapping)
	}
	p := &planned{moves: make(map[int]move)}
	for _, m := range s.moves {
		p.moves[m.step] = m
	}
	return p
}
