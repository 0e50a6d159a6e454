package pgas

import "time"

var clockStart = time.Now()

// now returns monotonic nanoseconds, in a form that a block can hold. A test that must not
// depend on time has another clock here.
var now = func() int64 { return time.Since(clockStart).Nanoseconds() }
