package c2c

import (
	"errors"
	"sync"

	"ocr/datablock/cell"
)

// RunGoroutines carries out a trial of form [Goroutines]: the loops of form
// [Polled] in two goroutines that are locked to threads on processors cpus, over
// memory of the Go heap, without the runtime.
func RunGoroutines(c Config, cpus [2]int) (Result, error) {
	if err := c.Validate(); err != nil {
		return Result{Config: c}, err
	}
	switch c.Width {
	case 1:
		return goroutines[uint8](c, cpus)
	case 2:
		return goroutines[uint16](c, cpus)
	case 4:
		return goroutines[uint32](c, cpus)
	}
	return goroutines[uint64](c, cpus)
}

func goroutines[T cell.Word](c Config, cpus [2]int) (Result, error) {
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
			newEnd[T](&c, side, memory).run()
		})
	}
	wg.Wait()
	if err := errors.Join(failed[0], failed[1]); err != nil {
		return Result{Config: c}, err
	}
	return c.resultOf(memory, collections()-collected)
}
