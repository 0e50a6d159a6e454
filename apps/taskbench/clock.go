package taskbench

import "time"

var clockStart = time.Now()

// now returns monotonic nanoseconds.
func now() int64 { return time.Since(clockStart).Nanoseconds() }
