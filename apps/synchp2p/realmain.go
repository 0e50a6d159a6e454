package synchp2p

import (
	"slices"

	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A problem is what EDTs need of a Config: without texts, so that parameters can carry it.
type problem struct {
	Ranks, Columns, RowsPerBlock, Phases, Timesteps int
	Place, Events, Clone                            uint8
	CheckGrid                                       bool
}

func (c Config) problem() problem {
	return problem{
		c.Ranks, c.GridColumns(), c.RowsPerBlock, c.Phases, c.Timesteps,
		uint8(slices.Index(placements, c.Place)), uint8(slices.Index(eventForms, c.Events)), uint8(slices.Index(cloneForms, c.Clone)), c.CheckGrid,
	}
}

// config is the inverse of problem, with P*K and --columns made one.
func (p problem) config() Config {
	return Config{
		Ranks: p.Ranks, Columns: p.Columns, RowsPerBlock: p.RowsPerBlock, Phases: p.Phases, Timesteps: p.Timesteps,
		Place: placements[p.Place], Events: eventForms[p.Events], Clone: cloneForms[p.Clone], CheckGrid: p.CheckGrid,
	}
}

// realmain builds the ring, of the first buffer, the ranks' strips, and their private blocks.
var realmain = task.DefineN("synch_p2p.realmain", buildRing)

// buildRing makes the links and then the first EDT of each rank. Rank 0's is the
// only one with nothing to wait for: it comes last, when the ring is closed.
func buildRing(c *edt.Ctx, p problem, first task.RW[buffer], strips task.List[task.Ref[float64]], privates task.List[task.RW[private]]) {
	cfg := p.config()
	ranks := cfg.Ranks
	for rank := range ranks {
		initState(c, cfg, rank, task.Head(privates.At(rank)))
	}
	for rank := range ranks {
		task.Head(privates.At(rank)).left = task.Head(privates.At((rank + ranks - 1) % ranks)).right
	}
	task.Head(privates.At(0)).corners = newCornerLog(cfg)

	buffer := first.Block()
	if !first.IsNull() {
		first.Release(c) // rank 0's first EDT writes to it
	}
	for rank := ranks - 1; rank >= 0; rank-- {
		own, strip := privates.At(rank), strips.At(rank).Block()
		s := task.Head(own)
		switch {
		case cfg.Events == EventsChannel:
			message := s.left.GUID
			if rank == 0 {
				message = guid.Null
			}
			s.createChannel(c, strip.GUID, own.Block().GUID, message)
		case rank == 0:
			s.createSticky(c, own, strip, buffer.From())
		default:
			s.createSticky(c, own, strip, s.left.From())
		}
	}
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
		s.right = task.Channel[buffer](c, cfg.Phases)
	} else {
		s.right = task.Sticky[buffer](c)
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
