package shmem

import (
	"fmt"
	"sync"

	"ocr/edt"
)

// A Program is what each PE of a world does. PEs may be on several ranks, which are processes: a PE has its own state,
// and learns of others by segments, notifications and [Config.Arg].
type Program struct {
	name   string
	number int // from 1; 0 if only this process knows it
	body   func(c *edt.Ctx, pe *PE)
	build  func(c *edt.Ctx, f *Flow) func(c *edt.Ctx)
}

// NewProgram makes a program of the direct form: body is one EDT. Make it as a package-level variable, so that all
// ranks know it by its name. A program without a name, which may be made at any time, is known in this process only.
func NewProgram(name string, body func(c *edt.Ctx, pe *PE)) *Program {
	return enter(&Program{name: name, body: body})
}

// NewFlow makes a program of the graph form, as [NewProgram]. build makes all steps of a PE, in the same order on every
// PE: PEs refer to a step by its number. It returns what begins when all PEs have built theirs, in an EDT on the PE's
// worker.
func NewFlow(name string, build func(c *edt.Ctx, f *Flow) (begin func(c *edt.Ctx))) *Program {
	return enter(&Program{name: name, build: build})
}

// programs are those with a name. All ranks have them in the same order: that of initialisation.
var programs struct {
	mu  sync.Mutex
	all []*Program
}

func enter(p *Program) *Program {
	if p.name == "" {
		return p
	}
	programs.mu.Lock()
	defer programs.mu.Unlock()
	for _, other := range programs.all {
		if other.name == p.name {
			panic(fmt.Sprintf("shmem: program %q: the name is taken", p.name))
		}
	}
	programs.all = append(programs.all, p)
	p.number = len(programs.all)
	return p
}

func (w *World) program(number int) *Program {
	if number > 0 {
		programs.mu.Lock()
		defer programs.mu.Unlock()
		return programs.all[number-1]
	}
	if w.own == nil {
		misuse("run", -1, "a program without a name is known on its own rank only")
	}
	return w.own
}
