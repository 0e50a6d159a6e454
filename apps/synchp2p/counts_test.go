package synchp2p

// The closed forms of what the runtime counts in a run of the EDT form.

// EDTs returns the sweeps, main and realmain.
func (c Config) EDTs() uint64 { return c.SweepEDTs() + 2 }

// BookkeepingEDTs returns the EDTs beside [Config.EDTs]: one collects, one delivers, P make links, and one starts
// those.
func (c Config) BookkeepingEDTs() uint64 {
	if c.Clone == CloneRecorded {
		return 2 // in realmain's place one records and runs the graph
	}
	return uint64(c.Ranks) + 3
}

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
	if c.Events == EventsChannel || c.Clone == CloneRecorded {
		return 0
	}
	return uint64(c.Ranks) + c.Satisfies()
}

// AllEvents returns the sticky events, or a channel a link, and the output events of ring, realmain and the outcome.
func (c Config) AllEvents() uint64 {
	if c.Events == EventsChannel {
		return uint64(c.Ranks) + 3
	}
	if c.Clone == CloneRecorded {
		return 2
	}
	return c.StickyEvents() + 3
}

// Blocks returns two a rank, what ring gets, the outcome, and the buffers: W, or in the channel form one a message.
func (c Config) Blocks() uint64 {
	if c.Events == EventsChannel {
		return 2*uint64(c.Ranks) + 2 + c.Satisfies()
	}
	return 2*uint64(c.Ranks) + 2 + uint64(c.Phases)
}
