package c2c

import "runtime/metrics"

// System is what a trial needs of the operating system. An app has no way to it of
// its own: the command hands it in. Each function may be nil, then the trial goes
// without: processors are reported as -1 and preemptions as 0.
type System struct {
	// Sight returns where the calling thread is and what has happened to it.
	Sight func() Sight
	// Yield lets another thread that waits for this processor run. It is called
	// if polling has been in vain for a while.
	Yield func()
	// Pin locks the calling goroutine to its thread and the thread to a
	// processor; undo reverses both. Form Goroutines cannot do without.
	Pin func(cpu int) (undo func(), err error)
}

// A Sight is what the system knows of a thread.
type Sight struct {
	CPU         int   // where it runs, -1 unknown
	Preemptions int64 // how often it had to leave a processor so far
}

func (s System) sight() Sight {
	if s.Sight == nil {
		return Sight{CPU: -1}
	}
	return s.Sight()
}

func (s System) yield() {
	if s.Yield != nil {
		s.Yield()
	}
}

// collections returns how many garbage collections there have been.
func collections() int64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
