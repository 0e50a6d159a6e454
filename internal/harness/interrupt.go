package harness

import "errors"

// ErrInterrupted is the cause of a run's end if the user ended it.
var ErrInterrupted = errors.New("interrupted")
