package check

// CopySmall has blocks that are smaller than a page copied to the heap, as they are for later EDTs of a template, until
// restore is called.
func CopySmall() (restore func()) {
	before := watchedClosely
	watchedClosely = 0
	return func() { watchedClosely = before }
}
