package synchp2p

// The closed forms of what the runtime counts in a run of the EDT form.

// EDTs returns the sweeps, main and realmain, or what records the graph.
func (c Config) EDTs() uint64 { return c.SweepEDTs() + 2 }

// BookkeepingEDTs returns the EDTs beside [Config.EDTs]: one collects, one delivers.
func (c Config) BookkeepingEDTs() uint64 { return 2 }

// Satisfies returns the number of messages: one a phase on each link of the ring, one a timestep on the link back to
// rank 0.
func (c Config) Satisfies() uint64 {
	if c.Clone == CloneRecorded {
		return 1 // no messages: the end of the graph
	}
	return uint64(c.Ranks-1)*uint64(c.Phases)*uint64(c.Timesteps) + uint64(c.Timesteps)
}

// StickyEvents returns 0 in the channel form; else each of the P links is announced one message ahead.
func (c Config) StickyEvents() uint64 {
	if c.Channels || c.Clone == CloneRecorded {
		return 0
	}
	return uint64(c.Ranks) + c.Satisfies()
}

// AllEvents returns the sticky events, or a channel a link, and the output events of realmain and the outcome.
func (c Config) AllEvents() uint64 {
	if c.Channels {
		return uint64(c.Ranks) + 2
	}
	return c.StickyEvents() + 2
}

// Blocks returns two a rank, the states, the outcome, and the buffers: W, or in the channel form one a message, and one
// for each phase of a rank that is the only one and neither receives nor sends.
func (c Config) Blocks() uint64 {
	n, phases, timesteps := 2*uint64(c.Ranks)+2, uint64(c.Phases), uint64(c.Timesteps)
	switch {
	case !c.Channels:
		return n + phases
	case c.Ranks == 1 && phases > 1:
		n += timesteps*(phases-1) - (timesteps - 1)
	}
	return n + c.Satisfies()
}
