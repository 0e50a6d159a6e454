package peers

import (
	"context"
	"fmt"
	"os"
	"slices"

	"ocr/internal/measure/cbuild"
)

// A Set is the programs of a run: each is compiled once, and started once for each list of processors. One goroutine at
// a time may use it.
type Set struct {
	tell    func(format string, args ...any)
	built   map[*Library]built
	running map[string]*Program
	failed  map[string]error
}

type built struct {
	file *os.File
	err  error
}

// NewSet returns a set without programs. The set calls tell before it compiles a program, which takes seconds.
func NewSet(tell func(format string, args ...any)) *Set {
	return &Set{tell: tell, built: make(map[*Library]built), running: make(map[string]*Program),
		failed: make(map[string]error)}
}

// Program returns a library's program with a thread for each processor, pinned to it; -1 is a thread that is not
// pinned. The error is a [*Missing] unless ctx is cancelled.
func (s *Set) Program(ctx context.Context, l *Library, pins []int) (*Program, error) {
	key := fmt.Sprint(l.Name, pins)
	if p := s.running[key]; p != nil {
		return p, nil
	}
	if err := s.failed[key]; err != nil {
		return nil, err
	}
	missing := &Missing{Library: l}
	file, err := s.build(ctx, l)
	var p *Program
	if err == nil {
		missing.Threads = len(pins)
		p, err = start(ctx, l, cbuild.Path(file), pins)
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		missing.Err = err
		s.failed[key] = missing
		return nil, missing
	}
	s.running[key] = p
	return p, nil
}

// build compiles a library's program, unless the set has tried before.
func (s *Set) build(ctx context.Context, l *Library) (*os.File, error) {
	if b, done := s.built[l]; done {
		return b.file, b.err
	}
	s.tell("compiling the program for %s", l.Name)
	file, err := l.program.Build(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	s.built[l] = built{file, err}
	return file, err
}

// Notes names the libraries whose programs run, for notes of results.
func (s *Set) Notes() []string {
	var notes []string
	for _, p := range s.running {
		notes = append(notes, "peer: "+p.about+"; "+p.library.flags())
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// Close ends the programs.
func (s *Set) Close() {
	for _, p := range s.running {
		p.Close()
	}
	for _, b := range s.built {
		if b.file != nil {
			_ = b.file.Close()
		}
	}
}
