//go:build !yield

package runtime

// forced says whether the tests may force the order of steps.
const forced = false

// yield marks a point between two accesses to shared words whose order matters. It does nothing, unless the tests are
// built with -tags yield: then another worker may run there.
func yield() {}

// yieldParked is yield for a worker that is blocked on a word while it is 1.
func yieldParked(*worker) {}
