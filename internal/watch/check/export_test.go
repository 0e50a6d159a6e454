package check

// CopyNothing has all blocks shown page by page, until restore is called: as on systems where faults are not caught.
func CopyNothing() (restore func()) {
	before := framesTogether
	framesTogether = 0
	return func() { framesTogether = before }
}
