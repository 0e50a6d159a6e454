package runtime

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// rankHold holds its worker until letGo is set.
var (
	numHeld  atomic.Int64
	letGo    atomic.Bool
	rankHold = edt.NewTemplate("runtime_test.rankHold", 0, 0, does(func(*edt.Ctx, edt.Args) {
		for numHeld.Add(1); !letGo.Load(); { // there are more workers than processors
			time.Sleep(20 * time.Microsecond)
		}
	}))
)

// TestRanksAnswerWhileBodiesRun: while all workers of a rank are in long bodies, the rank gives a block back, answers a
// query, and handles the messages for which other ranks hold theirs: otherwise the bodies would not end. EDTs that
// become ready meanwhile run after the bodies.
func TestRanksAnswerWhileBodiesRun(t *testing.T) {
	for ranks := 2; ranks <= 3; ranks++ {
		const workers = 2
		counted.Store(0)
		numHeld.Store(0)
		letGo.Store(false)
		others := int64((ranks - 1) * workers)
		err := runRanks(t, ranks, workers, starting(func(c *edt.Ctx) {
			block, done := c.NewBlockNoAcquire(8), c.NewLatch(1)
			hi, lo := done.Words()
			c.NewEDTAt(c.Bind(0), c.NewTemplate("second", 0, 1, does(func(c *edt.Ctx, _ edt.Args) {
				defer letGo.Store(true)
				for w := range ranks * workers {
					if w >= workers {
						c.NewEDTAt(c.Bind(w), rankHold, nil)
					}
				}
				for numHeld.Load() != others {
					time.Sleep(20 * time.Microsecond)
				}
				has := make(chan uint64, 1)
				c.NewEDTAt(c.Bind(1), c.NewTemplate("has", 0, 1, does(func(_ *edt.Ctx, in edt.Args) {
					has <- datablock.Slice[uint64](in.Dep(0))[0]
				})), nil, edt.From(block, datablock.EW))
				testrun.Equal(t, 1, <-has, "the block")
				for k := 1; k < ranks; k++ {
					at := c.NewEDTAt(c.Place(k*workers), rankStuck, nil)
					c.AddDependence(guid.Null, at, 0, datablock.Null) // a strong message, see internal/rank/remote
					c.NewEDTAt(c.Place(k*workers), rankTree, edt.Params(0))
					if c.Exists(guid.Null) || !c.Exists(at) {
						t.Errorf("what is on rank %d does not exist", k)
					}
				}
			})), nil, edt.From(done, datablock.Null))
			c.NewEDTAt(c.Bind(workers), rankAdd, edt.Params(hi, lo), edt.From(block, datablock.EW)) // rank 1 gets the block
		}))
		if err != nil || counted.Load() != int64(ranks-1) {
			t.Errorf("%v, %d EDTs ran", err, counted.Load())
		}
	}
}

// The ways in which a body ends the run.
const (
	endShutdown = iota
	endAbort
	endPanic
	endGoexit
	endMisuse
	rankEndings
)

var (
	// rankForever creates itself on the next worker, for ever.
	rankForever *edt.Template
	// rankEnds ends the run in the way that its parameter says.
	rankEnds = edt.NewTemplate("runtime_test.rankEnds", 1, 0, does(func(c *edt.Ctx, in edt.Args) {
		switch in.Param(0) {
		case endShutdown:
			c.Shutdown()
		case endAbort:
			c.Abort(7)
		case endPanic:
			panic("on purpose")
		case endGoexit:
			goruntime.Goexit()
		case endMisuse:
			c.NewEvent(edt.EventType(99))
		}
	}))
)

// rankFailsTwice fails, and again when letGo is set.
var rankFailsTwice = edt.NewTemplate("runtime_test.rankFailsTwice", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
	c.Fail(errors.New("the first failure"))
	for !letGo.Load() {
		goruntime.Gosched()
	}
	panic("the second failure")
}))

func init() {
	rankForever = edt.NewTemplate("runtime_test.rankForever", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
		c.NewEDTAt(c.Place((c.Worker()+1)%c.Workers()), rankForever, nil)
	}))
}

// TestRanksEndings: an EDT on any rank ends the run, in each way, on all ranks, while EDTs go round. The error has the
// way and the rank.
func TestRanksEndings(t *testing.T) {
	const ranks = 3
	for way := range uint64(rankEndings) {
		for on := range ranks {
			err := runRanks(t, ranks, 1, starting(func(c *edt.Ctx) {
				c.NewEDT(rankForever, nil)
				c.NewEDTAt(c.Bind(on), rankEnds, edt.Params(way))
			}))
			if way == endShutdown {
				testrun.OK(t, err)
				continue
			}
			testrun.Fails(t, err, "of template runtime_test.rankEnds on rank "+strconv.Itoa(on))
			switch way {
			case endAbort:
				testrun.Equal(t, 7, testrun.As[*edt.AbortError](t, err).Code)
			case endPanic:
				if p := testrun.As[*edt.PanicError](t, err); fmt.Sprint(p.Value) != "on purpose" || len(p.Stack) == 0 {
					t.Errorf("on rank %d: %v", on, err)
				}
			case endGoexit:
				testrun.Contains(t, testrun.As[*edt.PanicError](t, err).Error(), "Goexit")
			case endMisuse:
				testrun.Is(t, testrun.As[*edt.Error](t, err), edt.ErrEventType)
			}
		}
	}
}

// TestRanksEndAtOnce: if an EDT fails, bodies on other ranks see the end of the run while the EDT runs on. If it fails
// again, the error of the run has both failures.
func TestRanksEndAtOnce(t *testing.T) {
	letGo.Store(false)
	err := runRanks(t, 2, 2, starting(func(c *edt.Ctx) {
		defer letGo.Store(true)
		ended := c.Context().Done()
		c.NewEDTAt(c.Bind(2), rankFailsTwice, nil)
		select {
		case <-ended:
		case <-time.After(testrun.HangAfter() / 2):
			t.Error("rank 0 does not see the end of the run")
		}
	}))
	testrun.Contains(t, fmt.Sprint(err), "the first failure", "the second failure")
}

// TestRanksCancelled: if the context of rank 0 is cancelled, the run ends on all ranks.
func TestRanksCancelled(t *testing.T) {
	for k := range shortened(10) {
		ctx, cancel := context.WithCancel(t.Context())
		err := runRanksUntil(t, ctx, 2+k%2, 2, starting(func(c *edt.Ctx) {
			c.NewEDT(rankForever, nil)
			time.AfterFunc(time.Duration(k)*100*time.Microsecond, cancel)
		}))
		cancel()
		testrun.Is(t, err, context.Canceled)
		testrun.Is(t, err, edt.ECANCELED)
	}
}

var (
	// goneEat destroys the block of the event.
	goneEat = edt.NewTemplate("runtime_test.goneEat", 0, 1, does(func(c *edt.Ctx, in edt.Args) {
		c.DestroyBlock(in.Dep(0).GUID())
	}))
	// goneWait creates EDTs on another rank that wait for the event, and for a slot that is never connected.
	goneWait = edt.NewTemplate("runtime_test.goneWait", 2, 0, does(func(c *edt.Ctx, in edt.Args) {
		event := guid.FromWords(in.Param(0), in.Param(1))
		for range 16 {
			c.NewEDTAt(c.Place(c.Workers()-1), goneNever, nil, edt.From(event, datablock.RO), edt.Open)
		}
	}))
	goneNever = edt.NewTemplate("runtime_test.goneNever", 0, 2, does(func(*edt.Ctx, edt.Args) {}))
)

// TestDestroyedBlockOfEventOverRanks: an event has a block for EDTs that never run, while another EDT destroys the
// block. This is no misuse: the run is stuck.
func TestDestroyedBlockOfEventOverRanks(t *testing.T) {
	if testrun.Race() {
		t.Skip("the program's destruction races with the event's look-up of the block, as it may")
	}
	for range sized(200, 2000) {
		err := runRanks(t, 2, 2, does(func(c *edt.Ctx, _ edt.Args) {
			block, event := c.NewBlockNear(64, c.Place(c.Workers()-1)), c.NewEvent(edt.Sticky)
			hi, lo := event.Words()
			c.NewEDTAt(c.Place(0), goneEat, nil, edt.From(event, datablock.RW))
			c.Satisfy(event, block)
			c.NewEDTAt(c.Place(1), goneWait, edt.Params(hi, lo))
		}))
		testrun.Equal(t, 16, testrun.As[*edt.StuckError](t, err).Count, "EDTs that are stuck")
	}
}
