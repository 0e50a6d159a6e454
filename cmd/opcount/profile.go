package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A cost is what callgrind has counted: instructions; bus events, which are the locked
// operations (atomic adds, exchanges, compare-and-swaps, and Go's atomic stores); and
// calls of functions of Go's runtime and libraries, the insides of which do not count.
type cost struct{ instructions, locked, calls float64 }

func (c cost) plus(d cost) cost {
	return cost{c.instructions + d.instructions, c.locked + d.locked, c.calls + d.calls}
}

func (c cost) times(f float64) cost { return cost{c.instructions * f, c.locked * f, c.calls * f} }

// A profile is what each function of the module has cost itself, without what it called.
type profile map[string]cost

func (p profile) add(function string, c cost) {
	if ofModule(function) {
		p[function] = p[function].plus(c)
	}
}

// A FormatError is a line of callgrind's output that is not understood.
type FormatError struct {
	Line int
	Text string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("callgrind's output, line %d: %q is not understood", e.Line, e.Text)
}

// events is the one list of events that is read: it is what the flags ask for.
const events = "events: Ir Ge"

// parseProfile reads callgrind's output: "fn=(7) name" begins a function, and later
// "fn=(7)" does; a line that begins with a position (12, +3, -3, *) has costs, those left
// out at its end being 0. "cfn=(8) name" and "calls=5" say what the function called, and
// how often; the cost line after them is of those calls, and is in the profile already.
func parseProfile(r io.Reader) (profile, error) {
	p, names := make(profile), make(map[string]string) // by callgrind's number, "(7)"
	function, callee, ofCall := "", "", false
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		key, value, _ := strings.Cut(line, "=")
		ok := true
		switch {
		case strings.HasPrefix(line, "events:"):
			ok = line == events
		case key == "fn":
			function, ok = named(names, value)
		case key == "cfn":
			callee, ok = named(names, value)
		case key == "calls":
			ofCall = true
			var times float64
			times, ok = parseCalls(value)
			if isCall(callee) {
				p.add(function, cost{calls: times})
			}
		case ofCall:
			ofCall = false
		case line != "" && strings.IndexByte("0123456789+-*", line[0]) >= 0:
			var c cost
			c, ok = parseCost(line)
			p.add(function, c)
			ok = ok && function != ""
		}
		if !ok {
			return nil, &FormatError{n, line}
		}
	}
	return p, lines.Err()
}

// named resolves "(7) name", which it notes, and "(7)".
func named(names map[string]string, value string) (name string, ok bool) {
	number, name, given := strings.Cut(value, " ")
	if given {
		names[number] = plain(name)
	}
	name, ok = names[number]
	return name, ok
}

// plain is a function's name without what tells its instances apart: type arguments,
// which may be long, and callgrind's mark of a call within itself ("'2").
func plain(name string) string {
	if open, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); 0 <= open && open < end {
		name = name[:open] + "[...]" + name[end+1:]
	}
	name, _, _ = strings.Cut(name, "'")
	return name
}

// parseCost reads a position and up to two costs.
func parseCost(line string) (c cost, ok bool) {
	fields := strings.Fields(line)
	if len(fields) > 3 {
		return c, false
	}
	for k, f := range fields[1:] {
		v, err := strconv.ParseUint(f, 10, 64)
		if err != nil {
			return c, false
		}
		if k == 0 {
			c.instructions = float64(v)
		} else {
			c.locked = float64(v)
		}
	}
	return c, true
}

// parseCalls reads how often a function was called: "5", or "5 120" with a position.
func parseCalls(value string) (times float64, ok bool) {
	first, _, _ := strings.Cut(value, " ")
	n, err := strconv.ParseUint(first, 10, 64)
	return float64(n), err == nil
}

// ofModule reports whether a function is of this module, and not of Go or a library.
func ofModule(function string) bool { return strings.HasPrefix(function, "ocr/") }

// isCall reports whether calls of a function count as such. Go's scheduler comes in
// through morestack, when a goroutine has run for long: how often depends on time.
func isCall(callee string) bool {
	return !ofModule(callee) && !strings.HasPrefix(callee, "runtime.morestack")
}
