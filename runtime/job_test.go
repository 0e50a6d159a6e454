package runtime

import (
	"context"
	"errors"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// jobMark writes into a block, at the place of its number, the rank that it ran on, and tells a latch.
var jobMark = edt.NewTemplate("runtime_test.jobMark", 3, 1, does(func(c *edt.Ctx, in edt.Args) {
	datablock.Slice[uint64](in.Dep(0))[in.Param(2)] = uint64(c.Self().Home()) + 1
	c.Release(in.Dep(0).GUID())
	c.Satisfy(guid.FromWords(in.Param(0), in.Param(1)), guid.Null)
}))

// marks has jobMark run on each worker, and keeps what it found.
func marks(ran *[]uint64) edt.Func {
	return does(func(c *edt.Ctx, _ edt.Args) {
		n := c.Workers()
		block := c.NewBlockNoAcquire(8 * n)
		done := c.NewLatch(int64(n))
		last := c.NewTemplate("last", 0, 2, does(func(c *edt.Ctx, in edt.Args) {
			*ran = append([]uint64(nil), datablock.Slice[uint64](in.Dep(0))...)
			c.DestroyBlock(in.Dep(0).GUID())
		}))
		c.NewEDT(last, nil, edt.From(block, datablock.RW), edt.From(done, datablock.RW))
		hi, lo := done.Words()
		for k := range n {
			c.NewEDTAt(c.Bind(k), jobMark, edt.Params(hi, lo, uint64(k)), edt.From(block, datablock.EW))
		}
	})
}

func checkMarks(t *testing.T, ran []uint64, ranks, workers int) {
	t.Helper()
	if len(ran) != ranks*workers {
		t.Fatalf("%d EDTs have left a mark, want %d", len(ran), ranks*workers)
	}
	for k, home := range ran {
		testrun.Equal(t, k/workers+1, int(home),
			"worker %d of %d ranks: its EDT has run on rank %d", k, ranks, int(home)-1)
	}
}

// TestJobRun: a run over processes, which are started for it.
func TestJobRun(t *testing.T) {
	for _, ranks := range []int{1, 2, 4} {
		var ran []uint64
		report := mustRun(t, marks(&ran), Ranks(ranks), Workers(2), LeakReport())
		checkMarks(t, ran, ranks, 2)
		checkRanksOf(t, &report, ranks, 2)
	}
}

// checkRanksOf checks the parts of ranks in the report of a run of marks.
func checkRanksOf(t *testing.T, r *Report, ranks, workers int) {
	t.Helper()
	// the template last
	if n := uint64(ranks*workers) + 2; r.Counters.EDTRun != n || r.Workers != workers || len(r.Leaks) != 1 {
		t.Errorf("%d ranks: %d EDTs, want %d; %d workers, want %d; leaks %v", ranks, r.Counters.EDTRun, n, r.Workers, workers,
			r.Leaks)
	}
	if ranks == 1 {
		if r.Ranks != nil || r.Engine != "" {
			t.Errorf("one rank: engine %q, parts %v", r.Engine, r.Ranks)
		}
		return
	}
	if r.Engine != "ring" || len(r.Ranks) != ranks {
		t.Fatalf("%d ranks: engine %q, parts %v", ranks, r.Engine, r.Ranks)
	}
	var parks uint64
	for k, part := range r.Ranks {
		parks += part.Counters.Parks
		if len(part.Placement) != workers || part.Counters.EDTRun < uint64(workers) || len(part.Sent) != ranks {
			t.Errorf("rank %d of %d: %+v", k, ranks, part)
		}
		for to, sent := range part.Sent {
			if some := sent.Messages > 0; some != (to != k && (to == 0 || k == 0)) || (sent.Bytes > 8) != some {
				t.Errorf("rank %d of %d has sent %+v to rank %d", k, ranks, sent, to)
			}
		}
	}
	testrun.Equal(t, r.Counters.Parks, parks, "%d ranks: parks", ranks)
}

// TestJobRunsOnOne: runs one after the other on the processes of one job, with different options, and of one pool.
func TestJobRunsOnOne(t *testing.T) {
	j, err := StartJob(2)
	testrun.OK(t, err)
	for k := range 6 {
		workers := 1 + k/2%2
		var ran []uint64
		mustRun(t, marks(&ran), j.Option(), Workers(workers))
		checkMarks(t, ran, 2, workers)
	}
	p, err := New(j.Option(), Workers(1))
	testrun.OK(t, err)
	for range 3 {
		var ran []uint64
		testrun.OK(t, p.Run(context.Background(), marks(&ran)))
		checkMarks(t, ran, 2, 1)
	}
	testrun.OK(t, p.Close())
	testrun.OK(t, j.Close())
}

// TestJobUnused: a job that is ended before its ranks serve.
func TestJobUnused(t *testing.T) {
	j, err := StartJob(4)
	if err == nil {
		err = j.Close()
	}
	testrun.OK(t, err)
}

// TestJobMisuse: what cannot be done with a job is an OptionError, and the job goes on.
func TestJobMisuse(t *testing.T) {
	if _, err := StartJob(MaxRanks() + 1); !isOptionError(err, "Ranks(257)") {
		t.Errorf("a job of too many ranks: %v", err)
	}
	j, err := StartJob(2)
	testrun.OK(t, err)
	var within error
	var closed error
	mustRun(t, starting(func(*edt.Ctx) {
		_, within = runMain(t, starting(func(*edt.Ctx) {}), j.Option())
		closed = j.Close()
	}), j.Option(), Workers(1))
	if !isOptionError(within, "in the body of an EDT") || !isOptionError(closed, "in the body of an EDT") {
		t.Errorf("in the body of an EDT: a run %v, close %v", within, closed)
	}
	ctx, cancel := context.WithCancel(context.Background())
	mustRun(t, starting(func(c *edt.Ctx) {
		waits := make(chan error)
		go func() { waits <- Run(ctx, starting(func(*edt.Ctx) {}), j.Option(), Workers(1)) }()
		cancel()
		testrun.Is(t, <-waits, context.Canceled, "a run that waited for its turn and was cancelled")
	}), j.Option(), Workers(1))
	for k := range 2 {
		if err := j.Close(); err != nil {
			t.Errorf("close %d: %v", k, err)
		}
	}
	if _, err := runMain(t, starting(func(*edt.Ctx) {}), j.Option()); !isOptionError(err, "the job is closed") {
		t.Errorf("a run on a closed job: %v", err)
	}
}

func isOptionError(err error, says string) bool {
	var bad *OptionError
	return errors.As(err, &bad) && strings.Contains(err.Error(), says)
}
