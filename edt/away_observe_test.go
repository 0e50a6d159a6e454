package edt_test

import (
	"slices"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

// TestObserversOverRanks: what a courier reports stands behind the note of the EDT that has led to it.
func TestObserversOverRanks(t *testing.T) {
	lines := make([]*[]string, 2)
	names := map[guid.GUID]string{}
	h := edttest.NewRanks(2, 2, edt.Config{Workers: 1, Observe: edt.ObserveAll(
		func(*edt.Worker) edt.Observer { return edt.NopObserver{} },
		func(w *edt.Worker) edt.Observer {
			me, ranks := w.Rank()
			if ranks != 2 || w.Observed() != 2 {
				t.Errorf("rank %d of %d, %d observers", me, ranks, w.Observed())
			}
			if w.Number() == 0 {
				lines[me] = new([]string)
			}
			return &chronicle{edt.NopObserver{}, w, lines[me], names}
		},
	)})
	defer h.Graph.Close()
	err := h.Run(body(func(c *edt.Ctx, in edt.Args) {
		gate := c.NewEvent(edt.Sticky)
		inner := c.NewTemplate("inner", 0, 0, nothingMore)
		away := c.NewTemplate("away", 0, 1, body(func(c *edt.Ctx, _ edt.Args) {
			c.NewEDTAt(c.Bind(1), inner, nil)
			c.DestroyEvent(gate)
		}))
		last := c.NewTemplate("last", 0, 1, nothingMore)
		_, end := c.Spawn(away, &edt.Spec{Deps: []edt.Source{rw(gate)}, Finish: true, Output: true,
			Hint: edt.Hint{Affinity: c.Bind(1)}})
		c.NewEDTAt(c.Bind(0), last, nil, rw(end))
		c.Satisfy(gate, guid.Null)
	}))
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, *lines[0],
		"main: depend sticky -> EDT", "main: satisfy sticky", "main: message to 1 for EDT", "-: message sent by",
		"slot last/0 gets - from latch", "-: rank 1 has ended")
	inOrder(t, *lines[1],
		"-: message sent by main", "-: create away/1", "-: scope of away", "-: message sent by main", "-: slot away/0 gets",
		"-: ready away", "away: create inner",
		"away: message to 0 for sticky", "scope closed")
}

// inOrder holds that texts are in lines, one after the other.
func inOrder(t *testing.T, lines []string, texts ...string) {
	t.Helper()
	at := 0
	for _, text := range texts {
		k := slices.IndexFunc(lines[at:], func(line string) bool { return strings.Contains(line, text) })
		if k < 0 {
			t.Errorf("no %q from line %d on:\n%s", text, at, strings.Join(lines, "\n"))
			return
		}
		at += k + 1
	}
}

func nothingMore(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }
