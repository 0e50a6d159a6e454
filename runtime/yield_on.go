//go:build yield

package runtime

// forced says whether the tests may force the order of steps.
const forced = true

// switchWorkers lets another worker run. parked is the caller if it blocks on its futex, nil if it is between two
// steps. The test that owns the run sets it.
var switchWorkers func(parked *worker)

func yield() { yieldParked(nil) }

func yieldParked(w *worker) {
	if switchWorkers != nil {
		switchWorkers(w)
	}
}
