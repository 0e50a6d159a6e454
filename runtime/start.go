package runtime

import (
	"hash/fnv"
	"io"
	"os"
	"sync"
	"time"

	"ocr/edt"
	facts "ocr/internal/measure/machine"
)

// A start is the contents of START: the settings for another rank, and what must be the same on both.
type start struct {
	Run       uint32 // the run's bits in the GUIDs of its objects
	Build     string
	Arguments []string
	Templates uint64 // a hash of all that are registered
	Observers []observerPlan
	Window    int // bytes
	Team      teamPlan
}

// A teamPlan is the settings of a rank's workers.
type teamPlan struct {
	Workers int
	Binding Binding
	Memory  uint64
	Sites   bool
	Spin    time.Duration
}

// startOf returns the START that rank 0 sends.
func (s *settings) startOf(run uint32) start {
	return start{
		Run: run, Build: build(), Arguments: os.Args[1:], Templates: hashTemplates(edt.RegisteredTemplates()),
		Observers: s.observerPlans(), Window: s.window,
		Team: teamPlan{Workers: s.workers, Binding: s.binding, Memory: s.memory, Sites: s.sites, Spin: s.spin},
	}
}

// settings returns the settings of this rank: the plan of rank 0, and the rank's own Logger, AtEnd and Watchdog.
func (p *teamPlan) settings(own *settings) *settings {
	s := resolve(nil)
	s.workers, s.binding, s.memory = p.Workers, p.Binding, p.Memory
	s.sites, s.spin = p.Sites, p.Spin
	s.watch, s.logger, s.atEnd = own.watch, own.logger, own.atEnd
	return s
}

func hashTemplates(all []string) uint64 {
	h := fnv.New64a()
	for _, t := range all {
		_, _ = io.WriteString(h, t+"\n") // a hash never returns an error
	}
	return h.Sum64()
}

// build identifies the build of this program, which must be the same on all ranks.
var build = sync.OnceValue(func() string { return facts.ReadBuild().Line("program") })
