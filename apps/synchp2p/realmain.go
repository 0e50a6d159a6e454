package synchp2p

import (
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// realmain builds the ring: the rank's strips come on slots 0 to P-1, their
// private blocks on P to 2P-1, and the first buffer on 2P.
var realmain = edt.NewTemplate("synch_p2p.realmain", numParams, edt.Unknown, buildRing)

// The parameters of realmain: the parts of a Config that the EDTs need.
const (
	paramRanks = iota
	paramColumns
	paramRowsPerBlock
	paramPhases
	paramTimesteps
	paramPlace
	paramEvents
	numParams
)

func (c Config) params() []uint64 {
	return edt.Params(
		uint64(c.Ranks), uint64(c.GridColumns()), uint64(c.RowsPerBlock), uint64(c.Phases),
		uint64(c.Timesteps), uint64(slices.Index(placements, c.Place)), uint64(slices.Index(eventForms, c.Events)))
}

// configFrom is the inverse of params, with P*K and --columns made one.
func configFrom(in edt.Args) Config {
	return Config{
		Ranks:        int(in.Param(paramRanks)),
		Columns:      int(in.Param(paramColumns)),
		RowsPerBlock: int(in.Param(paramRowsPerBlock)),
		Phases:       int(in.Param(paramPhases)),
		Timesteps:    int(in.Param(paramTimesteps)),
		Place:        placements[in.Param(paramPlace)],
		Events:       eventForms[in.Param(paramEvents)],
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
	for rank := ranks - 1; rank >= 0; rank-- {
		s := rankView.At(&states[rank])
		place, message := s.place, s.left
		if !s.receives() {
			message = buffer.GUID()
		}
		strip, state := strips[rank].GUID(), states[rank].GUID()
		c.Release(state)
		c.NewEDTAt(place, sweep, nil,
			edt.From(strip, datablock.RW), edt.From(state, datablock.RW), edt.From(message, datablock.RW))
	}
	return guid.Null
}

// initState fills a rank's private block and makes its event to the right.
func initState(c *edt.Ctx, cfg Config, rank int, s *rankState) {
	*s = rankState{
		rank: rank, ranks: cfg.Ranks,
		width: cfg.Width(rank), first: cfg.FirstColumn(rank),
		rowsPerBlock: cfg.RowsPerBlock, phases: cfg.Phases, timesteps: cfg.Timesteps,
		place: placeOf(c, cfg, rank),
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
