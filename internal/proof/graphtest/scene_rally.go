package graphtest

import (
	"sync/atomic"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A rally is two players that pass a block, the ball, to each other. Each player is an EDT that runs again by Again
// when the ball comes back through an event. Other EDTs acquire the players' blocks, or the ball, meanwhile.
type rally struct {
	*stage
	hits   []hit
	own    [2][]guid.GUID // each player's blocks, in its first slots; word 0 counts the player's hits
	ball   guid.GUID      // its word counts the hits
	wait   [2]guid.GUID   // by player: the event through which the ball comes back
	places []edt.Affinity // of the players, then of the others
	gone   []guid.GUID    // events to destroy
	now    int
	ran    atomic.Int32 // other EDTs that have run
	beside int
}

// A hit is one run of a player.
type hit struct {
	takes []take // by EDTs that the player creates before it passes the ball
}

// A take is an EDT that acquires a block of a player, or the ball.
type take struct {
	of   int // a player, or 2 for the ball
	mode datablock.Mode
}

func rallied(s *stage) {
	r := &rally{stage: s, hits: make([]hit, 3+s.rng.IntN(14))}
	for k := range r.hits[:len(r.hits)-1] {
		for s.rng.IntN(5) == 0 {
			r.hits[k].takes = append(r.hits[k].takes, take{s.rng.IntN(3), datablock.Mode(s.rng.IntN(4))})
			r.beside++
		}
	}
	blocks := 1
	for k := range r.own {
		r.own[k] = make([]guid.GUID, 1+s.rng.IntN(3))
		blocks += len(r.own[k])
	}
	s.makes(2+r.beside, len(r.hits)-1, len(r.hits)-1, blocks)
	s.counts.EDTCreated += uint64(len(r.hits) - 2)
	s.open = r.start
	s.close = r.end
}

func (r *rally) start(c *edt.Ctx) {
	r.places = r.stage.places(c, 4)
	r.ball = c.NewBlockNoAcquire(8)
	r.wait[1] = c.NewEvent(edt.Sticky)
	r.gone = append(r.gone, r.wait[1])
	for k, source := range []guid.GUID{r.ball, r.wait[1]} {
		var deps []edt.Source
		for n := range r.own[k] {
			r.own[k][n] = c.NewBlockNoAcquire(8)
			deps = append(deps, edt.From(r.own[k][n], datablock.RW))
		}
		defer part(c, r.places[k], r.run, append(deps, edt.From(source, datablock.RW))...)
	}
}

// run is the body of both players.
func (r *rally) run(c *edt.Ctx, in edt.Args) {
	k := r.now
	// The ball orders the players' runs.
	r.now++
	me, slot := k%2, len(in.Deps())-1
	for n, g := range append(r.own[me][:slot:slot], r.ball) {
		if in.Dep(n).GUID() != g || in.Dep(n).Bytes() == nil {
			r.x.problem("hit %d of a rally has block %v on slot %d, want %v", k, in.Dep(n).GUID(), n, g)
		}
	}
	mine, ball := datablock.Slice[uint64](in.Dep(0)), datablock.Slice[uint64](in.Dep(slot))
	if mine[0] != uint64(k/2) || ball[0] != uint64(k) {
		r.x.problem("hit %d of a rally finds %d hits of the player, %d of the ball", k, mine[0], ball[0])
	}
	mine[0]++
	ball[0]++
	if k+1 == len(r.hits) {
		return
	}
	for n, t := range r.hits[k].takes {
		g := r.ball
		if t.of < 2 {
			g = r.own[t.of][0]
		}
		part(c, r.places[2+n%2], func(*edt.Ctx, edt.Args) { r.ran.Add(1) }, edt.From(g, t.mode))
	}
	to := r.wait[1-me]
	if k+2 < len(r.hits) {
		r.wait[me] = c.NewEvent(edt.Sticky)
		r.gone = append(r.gone, r.wait[me])
		c.Again(edt.Change{Slot: slot, Source: r.wait[me]})
	}
	c.Pass(to, slot)
}

func (r *rally) end(c *edt.Ctx) {
	if r.now != len(r.hits) || int(r.ran.Load()) != r.beside {
		r.x.problem("%d of %d hits of a rally, %d of %d EDTs beside it", r.now, len(r.hits), r.ran.Load(), r.beside)
	}
	for _, e := range r.gone {
		c.DestroyEvent(e)
	}
	for _, g := range append(append(r.own[0], r.own[1]...), r.ball) {
		c.DestroyBlock(g)
	}
}
