//go:build yield

package runtime

// switchWorkers lets another worker go on; asleep is the worker that sleeps, nil if
// the caller only has come between two steps. The test that owns the run sets it.
var switchWorkers func(asleep *worker)

func yield() { yieldAsleep(nil) }

func yieldAsleep(w *worker) {
	if switchWorkers != nil {
		switchWorkers(w)
	}
}
