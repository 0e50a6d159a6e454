package model

import (
	"fmt"
	"strings"
)

// maxStates bounds an exploration: a protocol that has more is too large to be
// explored in a test, or has a loop that needs [Process.Again].
const maxStates = 1_000_000

// A Result is what an exploration found.
type Result struct {
	Name      string
	States    int      // number of different states
	Steps     int      // number of moves from a state to another
	Violation string   // "" if everything holds
	Trace     []string // the shortest way to the violation, one step a line
}

// String returns the result as text: what is wrong, and how it comes about.
func (r Result) String() string {
	if r.Violation == "" {
		return fmt.Sprintf("%s: holds in %d states, %d steps", r.Name, r.States, r.Steps)
	}
	return fmt.Sprintf("%s: %s\n%s", r.Name, r.Violation, strings.Join(r.Trace, "\n"))
}

// A move is a step of one process.
type move struct {
	process int8
	result  int16
}

// A visit is how a state was first reached.
type visit struct {
	key  string
	from int32
	by   move
}

type explorer struct {
	*System
	index     map[string]int32
	visits    []visit
	ways      []int32 // the states that each state leads to, one state after the other
	first     []int32 // for each state, the beginning of its part of ways
	ends      []int32 // states in which all processes have ended
	violation string
	at        int32 // the state of the violation
	buffer    []byte
}

// Explore walks all states of the protocol, up to the first violation.
func (s *System) Explore() Result {
	x := &explorer{System: s, index: map[string]int32{}}
	x.begin()
	here := x.blank()
	for k := 0; k < len(x.visits) && x.violation == ""; k++ {
		if k > maxStates {
			x.fail(int32(k), "more than %d states", maxStates)
			break
		}
		x.first = append(x.first, int32(len(x.ways)))
		here.decode(x.visits[k].key)
		x.expand(int32(k), here)
	}
	if x.violation == "" {
		x.checkEndsReachable()
	}
	r := Result{Name: s.name, States: len(x.visits), Steps: len(x.ways), Violation: x.violation}
	if x.violation != "" {
		r.Trace = x.trace(x.at)
	}
	return r
}

func (x *explorer) blank() *state {
	return &state{make(Memory, len(x.initial)), make([]int, len(x.programs))}
}

func (x *explorer) begin() {
	s := x.blank()
	copy(s.memory, x.initial)
	for k, pr := range x.programs {
		s.at[k] = pr.start.to
	}
	x.reach(s, -1, move{})
}

// expand makes every move that is possible in a state.
func (x *explorer) expand(from int32, s *state) {
	before, ended := len(x.ways), true
	for k, pr := range x.programs {
		if st := pr.locals[s.at[k]].pending; st != nil {
			ended = false
			if st.ready == nil || st.ready(s.memory) {
				next := s.clone()
				x.arrive(from, next, k, int16(st.run(next.memory)))
			}
		}
	}
	switch {
	case len(x.ways) > before:
	case ended:
		x.ends = append(x.ends, from)
		x.check(from, s.memory, x.finally)
	default:
		x.fail(from, "deadlock: %s", x.waiting(s))
	}
}

// arrive gives process k the result of its step, and files the state that follows.
func (x *explorer) arrive(from int32, next *state, k int, result int16) {
	e := x.programs[k].follow(next.at[k], result)
	next.at[k] = e.to
	to := x.reach(next, from, move{process: int8(k), result: result})
	if e.failure != "" {
		x.fail(to, "%s: %s", x.programs[k].name, e.failure)
	}
}

// reach returns the number of a state. It adds and checks a new one.
func (x *explorer) reach(s *state, from int32, by move) int32 {
	x.buffer = s.encode(x.buffer[:0])
	k, known := x.index[string(x.buffer)]
	if !known {
		k = int32(len(x.visits))
		key := string(x.buffer)
		x.index[key] = k
		x.visits = append(x.visits, visit{key, from, by})
		x.check(k, s.memory, x.always)
	}
	if from >= 0 {
		x.ways = append(x.ways, k)
	}
	return k
}

func (x *explorer) check(at int32, m Memory, conditions []Condition) {
	for _, c := range conditions {
		if wrong := c(m); wrong != "" {
			x.fail(at, "%s", wrong)
		}
	}
}

// fail notes the first violation.
func (x *explorer) fail(at int32, format string, args ...any) {
	if x.violation == "" {
		x.violation, x.at = fmt.Sprintf(format, args...), at
	}
}

// checkEndsReachable looks for a state in which a step is always possible, but none leads to an end.
func (x *explorer) checkEndsReachable() {
	x.first = append(x.first, int32(len(x.ways)))
	back := make([][]int32, len(x.visits))
	for k := range x.visits {
		for _, to := range x.ways[x.first[k]:x.first[k+1]] {
			back[to] = append(back[to], int32(k))
		}
	}
	canEnd := make([]bool, len(x.visits))
	for todo := x.ends; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !canEnd[k] {
			canEnd[k] = true
			todo = append(todo, back[k]...)
		}
	}
	for k, ok := range canEnd {
		if !ok {
			x.fail(int32(k), "livelock: from here it never ends")
			return
		}
	}
}
