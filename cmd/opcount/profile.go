package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
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

// readProfiles adds up callgrind's files whose names fit a pattern.
func readProfiles(pattern string) (profile, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	sum := make(profile)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			err = sum.read(string(text))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return sum, nil
}

// read adds what a file of callgrind says: "fn=(7) name" begins a function, and later
// "fn=(7)" does; a line that begins with a position (12, +3, -3, *) has costs, those left
// out at its end being 0. "cfn=(8) name" and "calls=5" say what the function called, and
// how often; the cost line after them is of those calls, and is in the profile already.
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
			times, _, _ := strings.Cut(value, " ") // then a position
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

// numbers reads numbers with blanks between them.
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

// isCall reports whether calls of a function count as such. Go's scheduler comes in
// through morestack, when a goroutine has run for long: how often depends on time.
func isCall(callee string) bool {
	return !ofModule(callee) && !strings.HasPrefix(callee, "runtime.morestack")
}
