package runtime

// stress is what the tests do to a run to make rare interleavings common; in every
// other run it is empty.
type stress struct {
	// prepare is shown the pool when all workers are set up and none runs yet.
	prepare func(*pool)
}

// prepared sets [stress.prepare].
func prepared(f func(*pool)) Option { return func(s *settings) { s.prepare = f } }

func (s *stress) begin(p *pool) {
	if s.prepare != nil {
		s.prepare(p)
	}
}
