package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// A cost is what callgrind has counted: instructions; bus events, which are the locked operations (atomic adds,
// exchanges, compare-and-swaps, and Go's atomic stores); and calls of functions of Go's runtime and libraries, whose
// own code does not count.
type cost struct{ instructions, locked, calls float64 }

func (c cost) plus(d cost) cost {
	return cost{c.instructions + d.instructions, c.locked + d.locked, c.calls + d.calls}
}

func (c cost) times(f float64) cost { return cost{c.instructions * f, c.locked * f, c.calls * f} }

// A profile is the cost of each function of the module itself, without the functions that it called.
type profile map[string]cost

func (p profile) add(function string, c cost) {
	if ofModule(function) {
		p[function] = p[function].plus(c)
	}
}

func readProfile(file string) (profile, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := make(profile)
	if err := p.read(string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// read adds a file of callgrind. "fn=(7) name" begins a function, and so does "fn=(7)" from its second time on. A line
// that begins with a position (12, +3, -3, *) has costs; trailing zeros are left out. "cfn=(8) name" and "calls=5" say
// which function was called, and how often; the next cost line is the cost of these calls, and is in the profile
// already.
func (p profile) read(text string) error {
	names := make(map[string]string) // by callgrind's number, "(7)"
	function, callee, ofCall := "", "", false
	for n, line := range strings.Split(text, "\n") {
		key, value, _ := strings.Cut(line, "=")
		ok := true
		switch {
		case strings.HasPrefix(line, "events:"):
			ok = line == "events: Ir Ge" // what the flags ask for
		case key == "fn":
			function, ok = named(names, value)
		case key == "cfn":
			callee, ok = named(names, value)
		case key == "calls":
			ofCall = true
			times, _, _ := strings.Cut(value, " ") // a position follows
			calls, numeric := numbers(times)
			if ok = numeric && len(calls) == 1; ok && isCall(callee) {
				p.add(function, cost{calls: calls[0]})
			}
		case ofCall:
			ofCall = false
		case line != "" && strings.ContainsAny(line[:1], "0123456789+-*"):
			_, costs, _ := strings.Cut(line, " ")
			c, numeric := numbers(costs)
			ok = numeric && len(c) <= 2 && function != ""
			c = append(c, 0, 0)
			p.add(function, cost{instructions: c[0], locked: c[1]})
		}
		if !ok {
			return fmt.Errorf("callgrind's output, line %d: %q is not understood", n+1, line)
		}
	}
	return nil
}

// named returns the name for "(7) name", and remembers it to return it for "(7)".
func named(names map[string]string, value string) (name string, ok bool) {
	number, name, given := strings.Cut(value, " ")
	if given {
		names[number] = plain(name)
	}
	name, ok = names[number]
	return name, ok
}

// plain returns a function's name without the parts that differ between its instances: type arguments, which may be
// long, and callgrind's mark of a recursive call ("'2").
func plain(name string) string {
	if open, end := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); 0 <= open && open < end {
		name = name[:open] + "[...]" + name[end+1:]
	}
	name, _, _ = strings.Cut(name, "'")
	return name
}

// numbers reads numbers separated by blanks.
func numbers(text string) (list []float64, ok bool) {
	for _, f := range strings.Fields(text) {
		v, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

// ofModule reports whether a function is of this module, and not of Go or a library.
func ofModule(function string) bool { return strings.HasPrefix(function, "ocr/") }

// isCall reports whether a call of a function counts as a call that leaves the module. A call of morestack does not: by
// it a goroutine that has run for long enters Go's scheduler, and how often it does depends on time.
func isCall(callee string) bool {
	return !ofModule(callee) && !strings.HasPrefix(callee, "runtime.morestack")
}
