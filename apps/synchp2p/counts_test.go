package synchp2p

// What a run of the EDT form counts, in closed form. The runtime's own counters must
// agree, for every combination of small parameters.

// EDTs returns the sweeps, main and realmain: P*W*T + 2.
func (c Config) EDTs() uint64 { return c.SweepEDTs() + 2 }

// BookkeepingEDTs returns the EDTs beside [Config.EDTs]: P that make links, the one that starts
// those, the collector, and the one that delivers its block.
func (c Config) BookkeepingEDTs() uint64 { return uint64(c.Ranks) + 3 }

// Satisfies returns (P-1)*W*T + T, which is the number of messages: a link of
// the ring carries one in each phase, the link back to rank 0 one a timestep.
func (c Config) Satisfies() uint64 {
	return uint64(c.Ranks-1)*uint64(c.Phases)*uint64(c.Timesteps) + uint64(c.Timesteps)
}

// AllSatisfies returns every satisfaction by a call: the messages, and the outcome.
func (c Config) AllSatisfies() uint64 { return c.Satisfies() + 1 }

// StickyEvents returns P + (P-1)*W*T + T in the sticky form, as each of the P
// links is announced one message ahead, and 0 in the channel form.
func (c Config) StickyEvents() uint64 {
	if c.Events == EventsChannel {
		return 0
	}
	return uint64(c.Ranks) + c.Satisfies()
}

// ChannelEvents returns P in the channel form, else 0.
func (c Config) ChannelEvents() uint64 {
	if c.Events == EventsChannel {
		return uint64(c.Ranks)
	}
	return 0
}

// AllEvents returns every event of a run: those of the ring, the output events of ring and realmain, and the
// one that brings the outcome.
func (c Config) AllEvents() uint64 { return c.StickyEvents() + c.ChannelEvents() + 3 }

// Blocks returns the data blocks of a run: 2*P + W, what ring gets, and the outcome in the sticky form;
// 2*P, these two, and one a message in the channel form.
func (c Config) Blocks() uint64 {
	if c.Events == EventsChannel {
		return 2*uint64(c.Ranks) + 2 + c.Satisfies()
	}
	return 2*uint64(c.Ranks) + 2 + uint64(c.Phases)
}
