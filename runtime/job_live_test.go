package runtime

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ocr/datablock"
	"ocr/edt"
)

// TestJobCancelled: the context of rank 0 ends the run in all processes.
func TestJobCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := Run(ctx, starting(func(c *edt.Ctx) {
		c.NewEDT(rankForever, nil)
		time.AfterFunc(time.Millisecond, cancel)
	}), Ranks(3), Workers(1))
	if !errors.Is(err, context.Canceled) || !errors.Is(err, edt.ECANCELED) {
		t.Errorf("%v", err)
	}
}

// TestJobStuck: a run in which EDTs of each process wait for events of the other says so.
func TestJobStuck(t *testing.T) {
	err := Run(t.Context(), starting(func(c *edt.Ctx) {
		e := c.NewEvent(edt.Sticky)
		c.NewEDTAt(c.Bind(1), rankStuck, nil, edt.From(e, datablock.Null))
		c.NewEDTAt(c.Bind(1), rankWaits, nil)
	}), Ranks(2), Workers(1))
	var stuck *edt.StuckError
	if !errors.As(err, &stuck) || stuck.Count != 2 || strings.Count(err.Error(), "slot 0: sticky event") != 2 ||
		strings.Count(err.Error(), "never satisfied") != 2 {
		t.Errorf("%v", err)
	}
}

// rankWaits makes an EDT on rank 0 that waits for an event of this rank.
var rankWaits = edt.NewTemplate("runtime_test.rankWaits", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
	c.NewEDTAt(c.Bind(0), rankStuck, nil, edt.From(c.NewEvent(edt.Sticky), datablock.Null))
}))
