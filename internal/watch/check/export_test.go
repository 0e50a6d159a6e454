package check

// CopySmall makes blocks smaller than a page be copied to the heap until restore is called, as for later EDTs of a
// template.
func CopySmall() (restore func()) {
	before := watchedClosely
	watchedClosely = 0
	return func() { watchedClosely = before }
}
