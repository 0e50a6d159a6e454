package c2c

import (
	"time"

	"ocr/edt"
)

// A chain is what both graphs of EDTs that pass transfers on have.
//
// Concurrency: the EDTs of a side run one after the other, and its mark is its own.
type chain struct {
	app         *App
	cfg         *Config
	at          [2]edt.Affinity // where the EDTs of each side run
	look        uint64          // EDT after which each side looks at its thread
	warm, timed uint64          // transfers before the timed part, and in it

	began int64 // garbage collections before
	wrong uint64
	marks [2]mark
}

// A mark is what one side of a chain of EDTs notes.
type mark struct {
	start, end    int64
	late          int64 // form Parked: sum of the times from send to start
	before, after Sight
	_             [apart]byte
}

func newChain(a *App) chain {
	c := &a.cfg
	return chain{app: a, cfg: c, look: c.look(), warm: uint64(c.Warmup), timed: uint64(c.Transfers)}
}

func (ch *chain) begin(c *edt.Ctx) {
	ch.began = collections()
	ch.at = [2]edt.Affinity{c.Bind(0), c.Bind(1 % c.Workers())}
	if ch.cfg.Form == Local {
		ch.at[1] = ch.at[0]
	}
}

// end hands the result over.
func (ch *chain) end() {
	r := Result{Config: *ch.cfg, Transfers: ch.cfg.Transfers, Collections: collections() - ch.began}
	for side, m := range ch.marks {
		elapsed := m.end - m.start
		if ch.cfg.Form == Parked {
			elapsed = 2 * m.late // a side sees every other transfer arrive
		}
		r.Ends[side] = endOf(elapsed, m.before, m.after)
	}
	a := ch.app
	a.result, a.err, a.done = r, nil, true
	if ch.wrong != 0 {
		a.err = ch.cfg.WrongElements(ch.wrong)
	}
}

// endOf is what a side saw, as the result has it.
func endOf(elapsed int64, before, after Sight) End {
	return End{
		Elapsed:     time.Duration(elapsed),
		CPU:         [2]int{before.CPU, after.CPU},
		Preemptions: after.Preemptions - before.Preemptions,
	}
}
