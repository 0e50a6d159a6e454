package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// What a figure may differ from the table: instructions by 2 % or by 3, whichever is
// more. Locked operations and calls of Go's functions by less than a fifth: a new one
// that every fifth operation has is seen. Without a change of the code a figure
// differs by less from run to run.
const (
	freeShare        = 0.02
	freeInstructions = 3
	freeLocked       = 0.19
	freeCalls        = 0.19
)

// compare returns a line for each figure that is not what the table says. Also one that
// shrank: the table would let it grow back unseen.
func compare(committed, now *table) []string {
	var lines []string
	for _, f := range now.figures {
		old, ok := committed.find(f.name)
		if !ok {
			lines = append(lines, f.name+" is not in the table")
			continue
		}
		lines = append(lines, old.against(f)...)
	}
	for _, old := range committed.figures {
		if _, ok := now.find(old.name); !ok {
			lines = append(lines, old.name+" is in the table, but is not counted any more")
		}
	}
	return lines
}

// against compares a row with what was counted now.
func (old figure) against(now figure) []string {
	var lines []string
	for _, c := range []struct {
		what     string
		old, now float64
		free     float64
	}{
		{"instructions", old.instructions, now.instructions, max(freeInstructions, freeShare*old.instructions)},
		{"locked operations", old.locked, now.locked, freeLocked},
		{"calls of Go's functions", old.calls, now.calls, freeCalls},
	} {
		verb := "grew"
		if c.now < c.old {
			verb = "shrank"
		}
		if math.Abs(c.now-c.old) > c.free {
			lines = append(lines, fmt.Sprintf("%s: %s %s from %.1f to %.1f (%+.1f)", old.name, c.what, verb, c.old, c.now,
				c.now-c.old))
		}
	}
	return lines
}

// judge is the error of a check.
func judge(committed, now *table) error {
	lines := compare(committed, now)
	if len(lines) == 0 {
		return nil
	}
	if committed.measured != now.measured {
		lines = append(lines, "the table was measured with "+committed.measured, "this was measured with      "+now.measured)
	}
	return errors.New("the counts are not what the committed table says\n  " + strings.Join(lines, "\n  ") +
		"\nIf the change is worth it, write the table and commit it with the change: go run ./cmd/opcount -update")
}
