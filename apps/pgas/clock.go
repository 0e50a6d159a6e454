package pgas

import "time"

var clockStart = time.Now()

// now returns monotonic nanoseconds, in a form that a block can hold.
func now() int64 { return time.Since(clockStart).Nanoseconds() }
