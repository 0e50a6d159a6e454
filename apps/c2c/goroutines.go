package c2c

import (
	"errors"
	"sync"

	"ocr/apps/trial"
)

// RunGoroutines runs a trial of form [Goroutines]: the loops of form [Polled] in two goroutines that are locked to
// threads on the processors, over memory of the Go heap.
func RunGoroutines(c Config, cpus [2]int) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{Config: c}, err
	}
	p := &polling{Config: c}
	memory := make([]byte, c.memory())
	var failed [2]error
	var wg sync.WaitGroup
	for side := range 2 {
		wg.Go(func() {
			undo, err := trial.Pin(cpus[side])
			if err != nil {
				failed[side] = err
				return
			}
			defer undo()
			p.runEnd(side, memory)
		})
	}
	wg.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return Result{Config: c}, err
	}
	return p.result()
}
