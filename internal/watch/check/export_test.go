package check

// CopySmall has all blocks that are smaller than a page copied to the heap, until restore is called: as the later EDTs
// of a template see them.
func CopySmall() (restore func()) {
	before := watchedClosely
	watchedClosely = 0
	return func() { watchedClosely = before }
}
