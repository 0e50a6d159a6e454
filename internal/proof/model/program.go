package model

import "slices"

// A program is the body of a process, and all local states in which the process was found.
type program struct {
	name   string
	locals []*local
	byKey  map[string]edge // by the key of [Process.Again]
	start  edge
}

// A local is the local state of a process between two steps.
type local struct {
	body    func(p *Process)
	results []int16 // of its steps
	pending *step   // nil: it has ended
	next    map[int16]edge
}

// An edge leads to a local state.
type edge struct {
	to      int
	failure string
}

func newProgram(name string, body func(p *Process)) *program {
	pr := &program{name: name, byKey: map[string]edge{}}
	pr.start = pr.resume(body, nil)
	return pr
}

// follow returns the edge that leaves a local state if its pending step has this result.
func (pr *program) follow(at int, result int16) edge {
	l := pr.locals[at]
	e, known := l.next[result]
	if !known {
		e = pr.resume(l.body, append(slices.Clone(l.results), result))
		l.next[result] = e
	}
	return e
}

// resume runs a body with the results of its steps so far, up to the next step.
func (pr *program) resume(body func(p *Process), results []int16) (e edge) {
	p := &Process{results: results}
	l := &local{body: body, results: results, next: map[int16]edge{}}
	defer func() {
		switch end := recover().(type) {
		case nil:
		case suspended:
			l.pending = &end.step
		case failure:
			e.failure = string(end)
		case jump:
			e = pr.jump(end)
			return
		default:
			panic(end)
		}
		e.to = len(pr.locals)
		pr.locals = append(pr.locals, l)
	}()
	body(p)
	return e
}

func (pr *program) jump(j jump) edge {
	e, known := pr.byKey[j.key]
	if !known {
		e = pr.resume(j.body, nil)
		pr.byKey[j.key] = e
	}
	return e
}
