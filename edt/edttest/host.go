// Package edttest runs EDT graphs one EDT at a time, in an order drawn from a
// seed. A program whose result depends on the order in which ready EDTs run gives
// itself away under some seed, and the same seed shows it again:
//
//	for seed := range uint64(100) {
//		err := edttest.Run(seed, 3, Main)
//		...
//	}
package edttest

import (
	"math/rand/v2"

	"ocr/edt"
)

// A Host is a deterministic [edt.Host]: it pretends to have workers, and runs what
// is ready on the calling goroutine.
type Host struct {
	Graph *edt.Graph

	rng     *rand.Rand
	ctxs    []*edt.Ctx
	ready   []edt.Task
	stopped bool
}

// New makes a graph with the configuration and a host for it.
func New(seed uint64, cfg edt.Config) *Host {
	h := &Host{rng: rand.New(rand.NewPCG(seed, 1)), Graph: edt.NewGraph(cfg)}
	for range cfg.Workers {
		h.ctxs = append(h.ctxs, h.Graph.NewCtx(h))
	}
	return h
}

// Run runs main and all that follows from it on so many pretended workers, and
// returns what [ocr/runtime.Run] would: nil after a shutdown or when the graph has
// drained, else the error.
func Run(seed uint64, workers int, main edt.Func, argv ...string) error {
	h := New(seed, edt.Config{Workers: workers})
	defer h.Graph.Close()
	return h.Run(main, argv...)
}

// Ready implements [edt.Host].
func (h *Host) Ready(k edt.Task) { h.ready = append(h.ready, k) }

// Stop implements [edt.Host].
func (h *Host) Stop() { h.stopped = true }

// Run is the function [Run] on a host that was made before, so that its graph can
// be asked for counters and leaks afterwards.
func (h *Host) Run(main edt.Func, argv ...string) error {
	h.begin(main, argv)
	for !h.stopped && h.more() {
		h.execute(h.pick())
	}
	if end := h.Graph.Ended(); end != nil {
		return end.Err
	}
	if stuck := h.Graph.Stuck(); stuck != nil {
		return stuck
	}
	return nil
}

func (h *Host) begin(main edt.Func, argv []string) {
	defer h.catch(h.ctxs[0])
	h.Graph.Begin(main, argv)
}

// more lets the workers go idle, in some order, where nothing is ready.
func (h *Host) more() bool {
	if len(h.ready) > 0 {
		return true
	}
	for _, w := range h.rng.Perm(len(h.ctxs)) {
		h.idle(h.ctxs[w])
	}
	return len(h.ready) > 0 && !h.stopped
}

func (h *Host) idle(c *edt.Ctx) {
	defer h.catch(c)
	c.Idle()
}

func (h *Host) pick() edt.Task {
	n := h.rng.IntN(len(h.ready))
	k := h.ready[n]
	last := len(h.ready) - 1
	h.ready[n] = h.ready[last]
	h.ready = h.ready[:last]
	return k
}

// execute runs an EDT on the worker it is bound to, else on any. Now and then
// another worker goes idle first, as it would on a real machine.
func (h *Host) execute(k edt.Task) {
	w := h.rng.IntN(len(h.ctxs))
	if k.Place().Strict() {
		w = k.Place().Worker()
	}
	if other := h.rng.IntN(4 * len(h.ctxs)); other < len(h.ctxs) && other != w {
		h.idle(h.ctxs[other])
	}
	if next := h.call(h.ctxs[w], k); next != 0 {
		h.Ready(next)
	}
}

func (h *Host) call(c *edt.Ctx, k edt.Task) (next edt.Task) {
	defer h.catch(c)
	return c.Execute(k)
}

func (h *Host) catch(c *edt.Ctx) {
	if v := recover(); v != nil {
		c.Recovered(v)
	}
}
