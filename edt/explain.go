package edt

import (
	"fmt"
	goruntime "runtime"
	"strings"

	"ocr/datablock"
	"ocr/internal/core/dep"
)

// explain adds to a body's panic value what the runtime knows about the reason. call is the call by the app in which
// the panic arose, "" for none.
func (c *Ctx) explain(v any, call string) any {
	err, ok := v.(goruntime.Error)
	if !ok {
		return v
	}
	switch text := err.Error(); {
	case strings.Contains(text, "nil pointer"):
		if call != "" {
			return fmt.Errorf("%s was called on a nil or zero value, or given one: %w", call, err)
		}
	case strings.HasSuffix(text, " length 0") || strings.HasSuffix(text, " capacity 0"):
		if why := c.emptySlots(); why != "" {
			return fmt.Errorf("%w: %s", err, why)
		}
	}
	return v
}

// mostEmpty is the largest number of slots that emptySlots lists.
const mostEmpty = 3

// emptySlots lists the slots of the running EDT that have no bytes for its body, though their modes give access, with
// the reasons; "" if there is none.
func (c *Ctx) emptySlots() string {
	if c.current == 0 {
		return ""
	}
	var all []string
	slots := c.g.slotsOf(c.running())
	for n := range c.deps {
		d := &c.deps[n]
		if n >= len(slots) || slots[n].mode() == datablock.Null || d.Access.Hold() != dep.NotHeld {
			continue
		}
		why := "brought no block"
		if !d.ID.IsNull() {
			why = "taken already, or sent, released or destroyed"
		}
		all = append(all, fmt.Sprintf("slot %d%s %s", n, inBrackets(c.g.slotName(c.running(), n)), why))
		if len(all) == mostEmpty {
			break
		}
	}
	return strings.Join(all, "; ")
}
