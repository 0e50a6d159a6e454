package model

import "fmt"

// A Process gives the body of a process its access to shared memory. Every method is one step.
type Process struct {
	results []int16 // of its steps so far
	next    int
	left    bool // the body is being left
}

// A step is an atomic access, not yet made.
type step struct {
	text  string
	at    Word                // -1 for none in particular
	ready func(m Memory) bool // nil: always
	run   func(m Memory) int
}

// How a body ends or is left before its end.
type (
	suspended struct{ step }
	jump      struct {
		key  string
		body func(p *Process)
	}
	failure string
)

// do returns the result of a step if it is known; otherwise it leaves the body.
func (p *Process) do(s step) int {
	if p.left {
		panic("model: a step in a deferred call")
	}
	if p.next == len(p.results) {
		p.left = true
		panic(suspended{s})
	}
	p.next++
	return int(p.results[p.next-1])
}

// Load reads a word.
func (p *Process) Load(w Word) int {
	return p.do(step{text: "load", at: w, run: func(m Memory) int { return int(m[w]) }})
}

// Store writes a word.
func (p *Process) Store(w Word, v int) {
	p.do(step{text: "store", at: w, run: func(m Memory) int { m[w] = int16(v); return v }})
}

// Add adds to a word and returns the sum.
func (p *Process) Add(w Word, delta int) int {
	return p.do(step{text: fmt.Sprintf("add %d:", delta), at: w, run: func(m Memory) int {
		m[w] += int16(delta)
		return int(m[w])
	}})
}

// CAS writes the new value if the old one is there, and reports whether it was.
func (p *Process) CAS(w Word, old, new int) bool {
	return p.do(step{text: fmt.Sprintf("compare %d and swap in %d:", old, new), at: w, run: func(m Memory) int {
		if m[w] != int16(old) {
			return 0
		}
		m[w] = int16(new)
		return 1
	}}) != 0
}

// Await waits until a word has a value.
func (p *Process) Await(w Word, v int) {
	p.do(step{text: "await", at: w,
		ready: func(m Memory) bool { return m[w] == int16(v) },
		run:   func(m Memory) int { return int(m[w]) }})
}

// When waits until a condition holds, and runs f in the same step.
func (p *Process) When(what string, holds func(m Memory) bool, f func(m Memory) int) int {
	return p.do(step{text: what + ":", at: -1, ready: holds, run: f})
}

// Lock waits until a word is 0 and makes it 1.
func (p *Process) Lock(w Word) {
	p.do(step{text: "lock", at: w,
		ready: func(m Memory) bool { return m[w] == 0 },
		run:   func(m Memory) int { m[w] = 1; return 1 }})
}

// Unlock makes a word 0.
func (p *Process) Unlock(w Word) {
	p.do(step{text: "unlock", at: w, run: func(m Memory) int { m[w] = 0; return 0 }})
}

// Atomically runs f as one step: for what a lock guards as a whole, or what the protocol assumes to be atomic.
func (p *Process) Atomically(what string, f func(m Memory) int) int {
	return p.do(step{text: what + ":", at: -1, run: f})
}

// Fail reports a violation: the process saw something wrong.
func (p *Process) Fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

// Again continues with body, which must depend on key alone: it forgets what the process has seen so far.
func (p *Process) Again(key string, body func(p *Process)) { panic(jump{key, body}) }
