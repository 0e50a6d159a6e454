//go:build yield

package runtime

// forced says whether the tests may force the order of steps.
const forced = true

// switchWorkers lets another worker go on; parked is the worker that is parked, nil if
// the caller only has come between two steps. The test that owns the run sets it.
var switchWorkers func(parked *worker)

func yield() { yieldParked(nil) }

func yieldParked(w *worker) {
	if switchWorkers != nil {
		switchWorkers(w)
	}
}
