package c2c

import (
	"errors"
	"sync"
)

// RunGoroutines carries out a trial of form [Goroutines]: the loops of form
// [Polled] in two goroutines that are locked to threads on processors cpus, over
// memory of the Go heap, without the runtime.
func RunGoroutines(c Config, cpus [2]int) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{Config: c}, err
	}
	if c.System.Pin == nil {
		return Result{Config: c}, errors.New("c2c: form goroutines: nothing to pin threads with")
	}
	collected := collections()
	memory := fromPage(make([]byte, c.memory()))
	var failed [2]error
	var wg sync.WaitGroup
	for side := range 2 {
		wg.Go(func() {
			undo, err := c.System.Pin(cpus[side])
			if err != nil {
				failed[side] = err
				return
			}
			defer undo()
			c.runEnd(side, memory)
		})
	}
	wg.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return Result{Config: c}, err
	}
	return c.resultOf(memory, collections()-collected)
}
