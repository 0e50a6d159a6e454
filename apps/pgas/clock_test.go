package pgas

import (
	"sync/atomic"
	"testing"
	"time"

	"ocr/apps/shmem"
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// A workClock goes on with the work that is done, however fast the machine is: each put,
// reduction and EDT takes what cost says. A look at the clock takes 100 ns.
type workClock struct {
	ns   atomic.Int64
	cost func() time.Duration
}

// inWorkTime has the runs of a test measured by a workClock: of what cfg's transport does,
// and of the EDTs of runs with the options.
func inWorkTime(t *testing.T, cfg *Config, cost func() time.Duration) []runtime.Option {
	c := &workClock{cost: cost}
	real := now
	now = func() int64 { return c.ns.Add(100) }
	t.Cleanup(func() { now = real })
	cfg.transport = func(s shmem.Site) shmem.Transport { return timedTransport{shmem.NewMemory(s), c} }
	return []runtime.Option{runtime.Observe(func(*edt.Worker) edt.Observer { return timedEDTs{clock: c} })}
}

func (c *workClock) work() { c.ns.Add(c.cost().Nanoseconds()) }

type timedTransport struct {
	shmem.Transport
	clock *workClock
}

func (s timedTransport) Put(to, dst int, src []byte) {
	s.clock.work()
	s.Transport.Put(to, dst, src)
}

func (s timedTransport) Reduce(e shmem.Element, dst, src, n int) {
	s.clock.work()
	s.Transport.Reduce(e, dst, src, n)
}

type timedEDTs struct {
	edt.NopObserver
	clock *workClock
}

func (o timedEDTs) EDTBegin(guid.GUID, *edt.Template, edt.Args) { o.clock.work() }
