package rank

// Through is for tests. If it is not nil, the ranks of a job exchange messages through the engine that it makes of
// theirs.
var Through func(Engine) Engine

// Passed returns the engine through which messages go.
func Passed(e Engine) Engine {
	if Through == nil {
		return e
	}
	return Through(e)
}
