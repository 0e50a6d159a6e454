package synchp2p

import (
	"slices"

	"ocr/edt"
	"ocr/guid"
)

// realmain builds the ring: the rank's strips come on slots 0 to P-1, their
// private blocks on P to 2P-1, and the first buffer on 2P.
var realmain = edt.NewTemplate("synch_p2p.realmain", numParams, edt.Unknown, buildRing)

// params are the parameters of realmain and the collector: what EDTs need of a Config.
func (c Config) params() []uint64 {
	check := 0
	if c.CheckGrid {
		check = 1
	}
	var params []uint64
	for _, n := range [numParams]int{
		c.Ranks, c.GridColumns(), c.RowsPerBlock, c.Phases, c.Timesteps,
		slices.Index(placements, c.Place), slices.Index(eventForms, c.Events), slices.Index(cloneForms, c.Clone), check,
	} {
		params = append(params, uint64(n))
	}
	return params
}

const numParams = 9

// configFrom is the inverse of params, with P*K and --columns made one.
func configFrom(in edt.Args) Config {
	n := func(k int) int { return int(in.Param(k)) }
	return Config{
		Ranks: n(0), Columns: n(1), RowsPerBlock: n(2), Phases: n(3), Timesteps: n(4),
		Place: placements[n(5)], Events: eventForms[n(6)], Clone: cloneForms[n(7)], CheckGrid: n(8) != 0,
	}
}

// buildRing makes the links and then the first EDT of each rank. Rank 0's is the
// only one with nothing to wait for: it comes last, when the ring is closed.
func buildRing(c *edt.Ctx, in edt.Args) guid.GUID {
	cfg := configFrom(in)
	ranks := cfg.Ranks
	strips, states, buffer := in.Deps()[:ranks], in.Deps()[ranks:2*ranks], in.Dep(2*ranks)
	for rank := range ranks {
		initState(c, cfg, rank, rankView.At(&states[rank]))
	}
	for rank := range ranks {
		neighbour := (rank + ranks - 1) % ranks
		rankView.At(&states[rank]).left = rankView.At(&states[neighbour]).right
	}
	headView.At(&states[0]).corners = newCornerLog(cfg)

	sweep := sweepSticky
	if cfg.Events == EventsChannel {
		sweep = sweepChannel
	}
	if !buffer.IsNull() {
		c.Release(buffer.GUID()) // rank 0's first EDT writes to it
	}
	for rank := ranks - 1; rank >= 0; rank-- {
		s := rankView.At(&states[rank])
		message := s.left
		if !s.receives() {
			message = buffer.GUID()
		}
		s.create(c, sweep, strips[rank].GUID(), states[rank].GUID(), message)
	}
	return guid.Null
}

// initState fills a rank's private block and makes its event to the right.
func initState(c *edt.Ctx, cfg Config, rank int, s *rankState) {
	*s = rankState{
		rank: rank, ranks: cfg.Ranks,
		width: cfg.Width(rank), first: cfg.FirstColumn(rank),
		rowsPerBlock: cfg.RowsPerBlock, phases: cfg.Phases, timesteps: cfg.Timesteps,
		place: placeOf(c, cfg, rank), goesOn: cfg.Clone == CloneAgain,
	}
	if cfg.Events == EventsChannel {
		// A rank is never more than the phases of one timestep ahead of the next.
		s.right = c.NewChannel(cfg.Phases)
	} else {
		s.right = c.NewEvent(edt.Sticky)
	}
}

// placeOf returns where the EDTs of a rank run, over the workers that have a
// processor of their own.
func placeOf(c *edt.Ctx, cfg Config, rank int) edt.Affinity {
	switch cfg.Place {
	case PlaceBlock:
		return c.Bind(rank * c.Places() / cfg.Ranks)
	case PlaceCyclic:
		return c.Bind(rank % c.Places())
	default:
		return edt.Affinity(0)
	}
}
