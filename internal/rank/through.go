package rank

// Through is for tests. If it is not nil, each rank of a job exchanges messages through the engine that Through makes
// from the rank's own engine.
var Through func(Engine) Engine

// Passed returns the engine that a rank with engine e uses: Through(e), or e if Through is nil.
func Passed(e Engine) Engine {
	if Through == nil {
		return e
	}
	return Through(e)
}
