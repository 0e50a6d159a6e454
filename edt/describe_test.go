package edt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// describeFirst says what the first and the last parameter are.
func describeFirst(p []uint64, _ []datablock.Dep) string {
	return fmt.Sprintf("first=%d last=%d", p[0], p[len(p)-1])
}

// TestErrorsDescribeTheEDT: whatever ends a run, the message says what the template
// says of the EDT that was at fault.
func TestErrorsDescribeTheEDT(t *testing.T) {
	params := map[string][]uint64{"first=3 last=12": {3, 12}, "first=1 last=6": {1, 2, 3, 4, 5, 6}}
	for about, params := range params {
		for name, fail := range map[string]edt.Func{
			"misuse": func(c *edt.Ctx, _ edt.Args) guid.GUID { c.Release(guid.Null); return guid.Null },
			"panic":  func(*edt.Ctx, edt.Args) guid.GUID { panic("ouch") },
			"abort":  func(c *edt.Ctx, _ edt.Args) guid.GUID { c.Abort(3); return guid.Null },
			"stuck": body(func(c *edt.Ctx, in edt.Args) {
				c.NewEDT(c.NewTemplate("fails", len(params), 1, nowhere).Describe(describeFirst), in.Params())
			}),
		} {
			for _, described := range []bool{true, false} {
				err := edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) {
					fails := c.NewTemplate("fails", len(params), 0, fail)
					if described {
						fails.Describe(describeFirst)
					}
					c.NewEDT(fails, params)
				}))
				says := err != nil && strings.Contains(err.Error(), " of template fails ("+about+")")
				testrun.Equal(t, described || name == "stuck", says, "%s, described %v: %v", name, described, err)
			}
		}
	}
}

func nowhere(*edt.Ctx, edt.Args) guid.GUID { return guid.Null }

// TestSnapshotDescribesEDTs: those that run and are to satisfy others, and those that wait.
func TestSnapshotDescribesEDTs(t *testing.T) {
	h := edttest.New(1, edt.Config{Workers: 1})
	defer h.Graph.Close()
	var text string
	err := h.Run(body(func(c *edt.Ctx, _ edt.Args) {
		waits := c.NewTemplate("waits", edt.Unknown, 1, nowhere).Describe(describeFirst)
		var done guid.GUID
		_, done = c.Spawn(c.NewTemplate("runs", 2, 0, body(func(c *edt.Ctx, _ edt.Args) {
			c.Spawn(waits, &edt.Spec{Params: edt.Params(5, 6, 7, 8, 9)})
			c.Spawn(waits, &edt.Spec{}) // the description panics
			launch(c, nothing, rw(done))
			text = h.Graph.Snapshot().String()
		})).Describe(describeFirst), &edt.Spec{Params: edt.Params(1, 2), Output: true})
	}))
	if !errors.As(err, new(*edt.StuckError)) {
		t.Errorf("run: %v", err)
	}
	testrun.Contains(t, text, " of template runs (first=1 last=2), which runs\n", " of template waits (first=5 last=9)\n",
		" of template waits\n")
}

// The codes have OCR's names and errno's numbers.
func TestCodes(t *testing.T) {
	for code, want := range map[edt.Code]string{
		1: "EPERM", 2: "ENOENT", 12: "ENOMEM", 13: "EACCES", 16: "EBUSY", 22: "EINVAL",
		28: "ENOSPC", 100: "EGUIDEXISTS", 125: "ECANCELED", 77: "Code(77)",
	} {
		testrun.Equal(t, want, code.Error(), "code %d", int(code))
	}
}

func TestEventTypeText(t *testing.T) {
	for typ, want := range map[edt.EventType]string{
		edt.Once: "once", edt.Idempotent: "idempotent", edt.Sticky: "sticky", edt.Latch: "latch", edt.Counted: "counted",
		edt.Channel: "channel", 0: "EventType(0)", 99: "EventType(99)",
	} {
		testrun.Equal(t, want, typ.String(), "type %d", uint8(typ))
	}
}
