package runtime

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"ocr/edt"
	facts "ocr/internal/measure/machine"
	link "ocr/internal/rank"
)

// A start is the contents of the message START: the settings for another rank, and what must be the same on both ranks.
type start struct {
	Run       uint32 // the run's bits in the GUIDs of its objects
	Build     string
	Arguments []string
	Templates []string // all that are registered
	Observers []observerPlan
	Window    int // bytes
	Workers   workersPlan
}

// A workersPlan is the settings of the workers of each rank. Two plans are equal if the same workers can serve both.
type workersPlan struct {
	Workers int
	CPUs    string // settings.listed, encoded
	Binding Binding
	Memory  uint64
	Sites   bool
	Spin    time.Duration
}

// startOf returns the START that rank 0 sends.
func (s *settings) startOf(run uint32) start {
	return start{
		Run: run, Build: build(), Arguments: os.Args[1:], Templates: edt.RegisteredTemplates(),
		Observers: s.observerPlans(), Window: s.window,
		Workers: workersPlan{Workers: s.workers, CPUs: string(link.Encode(s.listed)), Binding: s.binding,
			Memory: s.memory, Sites: s.sites, Spin: s.spin},
	}
}

// settings returns the settings of rank k of the n on this machine: the plan of rank 0, this rank's part of the
// processors, and its own Logger and Watchdog. unfit says why it cannot have the plan's processors, "" if it can.
func (p *workersPlan) settings(own *settings, allowed []int, k, n int, bound bool) (s *settings, unfit string) {
	s = resolve(nil)
	s.workers, s.binding, s.memory = p.Workers, p.Binding, p.Memory
	s.sites, s.spin = p.Sites, p.Spin
	s.watch, s.logger, s.sharing = own.watch, own.logger, n
	if p.CPUs != "" { // another build, which refusal names, may send none
		link.Decode([]byte(p.CPUs), &s.cpus)
	}
	if err := s.checkCPUs(allowed); err != nil {
		s.cpus, unfit = allowed, "cannot take part: "+err.Error()
	}
	s.cpus, _ = s.part(s.cpus, k, n, bound)
	return s, unfit
}

// refusal says why this rank, which is not rank 0, cannot take part: "" if it can.
func (s *start) refusal() string {
	if own := build(); own != s.Build {
		return fmt.Sprintf("is another build of the program: %s, not %s", own, s.Build)
	}
	if own := os.Args[1:]; !slices.Equal(own, s.Arguments) {
		return fmt.Sprintf("has other arguments than rank 0: %q, not %q; mpirun must give all ranks the same",
			own, s.Arguments)
	}
	own, there := append(edt.RegisteredTemplates(), "missing"), append(s.Templates, "missing")
	if slices.Equal(own, there) {
		return ""
	}
	k := 0
	for own[k] == there[k] {
		k++
	}
	return fmt.Sprintf("has registered other templates: the first that differs, number %d, is %s, and on rank 0 %s; "+
		"a program registers its templates before its first run with Ranks, and all ranks the same",
		k, own[k], there[k])
}

// build identifies the build of this program, which must be the same on all ranks. It has a checksum of the program's
// file, as two builds of a changed working tree may differ in nothing else.
var build = sync.OnceValue(func() string {
	sum := crc32.NewIEEE()
	if f, err := os.Open("/proc/self/exe"); err == nil { // also if the file was replaced since
		_, _ = io.Copy(sum, f)
		_ = f.Close()
	}
	return fmt.Sprintf("%s, checksum %08x", facts.ReadBuild().Line("program"), sum.Sum32())
})
