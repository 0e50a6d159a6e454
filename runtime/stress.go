package runtime

// stress has the hook by which tests make rare interleavings common; it is empty in every other run.
type stress struct {
	// prepare is called with the pool when all workers are set up and none runs yet.
	prepare func(*pool)
}

// prepared sets [stress.prepare].
func prepared(f func(*pool)) Option { return func(s *settings) { s.prepare = f } }

func (s *stress) begin(p *pool) {
	if s.prepare != nil {
		s.prepare(p)
	}
}
