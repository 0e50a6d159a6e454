package predict_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/internal/watch/predict"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// predicted runs main while the clock is that of the test.
func predicted(t *testing.T, cfg predict.Config, clock *int64, main edt.Func) predict.Result {
	t.Helper()
	cfg.Clock = func() int64 { return *clock }
	h := predict.New(cfg)
	defer h.Graph.Close()
	testrun.OK(t, h.Run(t.Context(), main))
	return h.Result
}

// TestHandOffs: an EDT goes from worker to worker. Each hop takes what its steps cost, with a wake-up if the receiver
// has searched for too long.
func TestHandOffs(t *testing.T) {
	const hops, took = 20, 5000
	for _, c := range []struct {
		spin time.Duration
		want predict.Result
	}{
		{time.Hour, predict.Result{Time: hops*(30+took) + (hops-1)*(7+100),
			Overhead: hops*30 + (hops-1)*7, Parks: 2}}, // at the end
		{time.Microsecond, predict.Result{Time: hops*(30+took) + (hops-1)*(7+400+2000),
			Overhead: hops*30 + (hops-1)*(7+400), Parks: hops + 1}},
	} {
		clock := int64(1)
		cfg := predict.Config{Workers: 2, Known: predict.Known{}, Costs: predict.Costs{
			EDT: 30, Send: 7, Hop: 100, Wake: 400, Waking: 2000, Spin: c.spin, Gap: time.Microsecond,
		}}
		var hop func(c *edt.Ctx, left int)
		hop = func(c *edt.Ctx, left int) {
			if clock += took; left == 0 {
				return
			}
			t := c.NewTemplate("hop", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
				hop(c, left-1)
				return guid.Null
			})
			c.Spawn(t, &edt.Spec{Hint: edt.Hint{Affinity: c.Bind(1 - c.Worker())}})
		}
		got := predicted(t, cfg, &clock, func(c *edt.Ctx, _ edt.Args) guid.GUID {
			hop(c, hops-1)
			return guid.Null
		})
		c.want.Sends, c.want.Work = hops-1, hops*took
		c.want.Idle = 2*c.want.Time - c.want.Work - c.want.Overhead
		if got != c.want {
			t.Errorf("spin %v: %+v, want %+v", c.spin, got, c.want)
		}
	}
}

// TestExclusive: EDTs that have a block to themselves run one after the other, however many workers there are.
func TestExclusive(t *testing.T) {
	clock := int64(1)
	cfg := predict.Config{Workers: 4, Costs: predict.Free(), Known: predict.Known{"exclusive": 100}}
	got := predicted(t, cfg, &clock, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		block, _ := c.NewBlock(8)
		c.Release(block)
		t := c.NewTemplate("exclusive", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID {
			clock += 100
			return guid.Null
		})
		for range 5 {
			c.NewEDT(t, nil, edt.From(block, datablock.EW))
		}
		return guid.Null
	})
	if got.Time != 500 {
		t.Errorf("%v, want 500 ns", got.Time)
	}
}

// TestEndings: a predicted run ends as it would on the pool.
func TestEndings(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		main func(c *edt.Ctx)
		want func(error) bool
	}{
		"shutdown": {t.Context(), func(c *edt.Ctx) { c.Shutdown() }, func(err error) bool { return err == nil }},
		"drained":  {t.Context(), func(*edt.Ctx) {}, func(err error) bool { return err == nil }},
		"abort":    {t.Context(), func(c *edt.Ctx) { c.Abort(3) }, as[*edt.AbortError]},
		"panic":    {t.Context(), func(*edt.Ctx) { panic("x") }, as[*edt.PanicError]},
		"misuse":   {t.Context(), func(c *edt.Ctx) { c.DestroyEvent(guid.Null) }, as[*edt.Error]},
		"stuck": {t.Context(), func(c *edt.Ctx) {
			never := c.NewTemplate("never", 0, 1, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
			c.NewEDT(never, nil, edt.From(c.NewEvent(edt.Sticky), datablock.Null))
		}, as[*edt.StuckError]},
		"outside": {t.Context(), func(c *edt.Ctx) { c.NewExternal(1) },
			func(err error) bool { return errors.Is(err, predict.ErrOutside) }},
		"cancelled": {cancelled, func(*edt.Ctx) {}, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		h := predict.New(predict.Config{Workers: 3, Costs: predict.Free(), Known: predict.Known{}})
		err := h.Run(c.ctx, func(ctx *edt.Ctx, _ edt.Args) guid.GUID {
			c.main(ctx)
			return guid.Null
		})
		if !c.want(err) {
			t.Errorf("%s: error %v", name, err)
		}
		h.Graph.Close()
	}
}

func as[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
