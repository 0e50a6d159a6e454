package check

// CopySmall makes new checkers copy blocks that are smaller than a page to the heap, as for later EDTs of a template,
// until restore is called.
func CopySmall() (restore func()) {
	before := watchedClosely
	watchedClosely = 0
	return func() { watchedClosely = before }
}
