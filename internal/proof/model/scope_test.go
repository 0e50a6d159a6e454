package model_test

import (
	"fmt"
	"strings"
	"testing"

	"ocr/internal/proof/model"
)

// A scopeModel is edt/scope.go: two nested finish scopes, outer 1 and inner 2, and
// two workers with a stock of tokens each. EDTs wait in one bag a scope.
type scopeModel struct {
	weak   string
	count  [3]model.Word // tokens outside, of each scope
	bag    [3]model.Word // EDTs that are ready
	alive  [3]model.Word // EDTs that have not ended, nested scopes included
	closed [3]model.Word
}

const (
	outerScope = 1
	innerScope = 2
	batch      = 2 // tokenBatch
)

// A stock is a worker's tokens; the model's body carries it along.
type stock struct{ scope, tokens int }

// touch adds to a scope's count, which must be open.
func (x *scopeModel) add(p *model.Process, scope, n int) int {
	const gone = 99
	left := p.Atomically(fmt.Sprintf("count[%d] add %d", scope, n), func(m model.Memory) int {
		if m[x.closed[scope]] != 0 {
			return gone
		}
		m[x.count[scope]] += int16(n)
		return int(m[x.count[scope]])
	})
	if left == gone {
		p.Fail("scope %d is closed already", scope)
	}
	return left
}

// create makes an EDT in the scope of the one that runs.
func (x *scopeModel) create(p *model.Process, s *stock) {
	if x.weak != "an EDT is handed out before it has its token" {
		x.takeToken(p, s)
	}
	p.Atomically("create", func(m model.Memory) int {
		m[x.alive[s.scope]]++
		m[x.bag[s.scope]]++
		return 0
	})
	if x.weak == "an EDT is handed out before it has its token" {
		x.takeToken(p, s)
	}
}

func (x *scopeModel) takeToken(p *model.Process, s *stock) {
	if s.tokens == 0 {
		if x.weak == "a stock is taken without counting it" {
			s.tokens = batch
		} else {
			x.add(p, s.scope, batch)
			s.tokens = batch
		}
	}
	s.tokens--
}

// give returns tokens, and closes the scope and those around it.
func (x *scopeModel) give(p *model.Process, scope, n int) {
	for scope != 0 {
		left := x.add(p, scope, -n)
		if x.weak == "the count is looked at again" {
			left = p.Load(x.count[scope])
		}
		if left != 0 {
			return
		}
		p.Atomically(fmt.Sprintf("close scope %d", scope), func(m model.Memory) int {
			m[x.closed[scope]]++
			if scope == innerScope {
				m[x.alive[outerScope]]--
			}
			return 0
		})
		scope, n = scope-1, 1
	}
}

func (x *scopeModel) drop(p *model.Process, s *stock) {
	if n := s.tokens; n > 0 {
		s.tokens = 0
		x.give(p, s.scope, n)
	}
}

// run executes an EDT of a scope: that of the outer one makes an EDT and, the first
// time, the nested scope with an EDT in it.
func (x *scopeModel) run(p *model.Process, s *stock, scope int, body func(p *model.Process, s *stock)) {
	if s.scope != scope {
		if x.weak != "a worker keeps its stock when it turns to another scope" {
			x.drop(p, s)
		}
		*s = stock{scope: scope}
	}
	body(p, s)
	if x.weak == "an EDT returns its token before it ends" {
		s.tokens++
		x.drop(p, s)
		p.Add(x.alive[scope], -1)
		return
	}
	p.Add(x.alive[scope], -1)
	s.tokens++
}

// nest makes a finish EDT in the outer scope: it keeps a token of it.
func (x *scopeModel) nest(p *model.Process, s *stock) {
	x.takeToken(p, s)
	p.Atomically("open inner scope", func(m model.Memory) int {
		m[x.alive[outerScope]]++
		m[x.count[innerScope]] = 1
		m[x.alive[innerScope]]++
		m[x.bag[innerScope]]++
		return 0
	})
}

// worker looks for EDTs; without one it gives its stock back and waits, until the outer scope is closed.
func (x *scopeModel) worker(s stock) func(p *model.Process) {
	return func(p *model.Process) {
		s := s
		scope := p.Atomically("take an EDT", func(m model.Memory) int {
			for _, scope := range []int{innerScope, outerScope} {
				if m[x.bag[scope]] > 0 {
					m[x.bag[scope]]--
					return scope
				}
			}
			return 0
		})
		switch scope {
		case innerScope:
			x.run(p, &s, scope, func(p *model.Process, s *stock) { x.create2(p, s) })
		case outerScope:
			x.run(p, &s, scope, func(*model.Process, *stock) {})
		default:
			if x.weak != "a worker keeps its stock when it finds nothing" {
				x.drop(p, &s)
			}
			p.AwaitThat("an EDT or the end", func(m model.Memory) bool {
				return m[x.bag[innerScope]]+m[x.bag[outerScope]] > 0 || m[x.closed[outerScope]] > 0
			})
			if p.Load(x.closed[outerScope]) > 0 {
				return
			}
		}
		p.Again(fmt.Sprint("worker ", s), x.worker(s))
	}
}

// create2 makes one more EDT in the inner scope, the first time.
func (x *scopeModel) create2(p *model.Process, s *stock) {
	if p.Load(x.alive[innerScope]) == 1 && p.Load(x.bag[0]) == 0 {
		p.Store(x.bag[0], 1)
		x.create(p, s)
	}
}

// scopeSystem begins with the EDT that opened the outer scope on worker 0: it makes
// one EDT there and the nested scope.
func scopeSystem(weak string) *model.System {
	s := model.New("finish scopes")
	x := &scopeModel{weak: weak}
	for k := range 3 {
		name := [...]string{"none", "outer", "inner"}[k]
		x.count[k] = s.Word(name+" count", 0)
		x.bag[k] = s.Word(name+" bag", 0)
		x.alive[k] = s.Word(name+" alive", 0)
		x.closed[k] = s.Word(name+" closed", 0)
	}
	s.Go("worker0", func(p *model.Process) {
		p.Atomically("open outer scope", func(m model.Memory) int {
			m[x.count[outerScope]], m[x.alive[outerScope]] = 1, 1
			return 0
		})
		st := stock{}
		x.run(p, &st, outerScope, func(p *model.Process, st *stock) {
			x.create(p, st)
			x.nest(p, st)
		})
		p.Again(fmt.Sprint("worker ", st), x.worker(st))
	})
	s.Go("worker1", x.worker(stock{}))
	s.Always(func(m model.Memory) string {
		var wrong []string
		for k := outerScope; k <= innerScope; k++ {
			if m[x.closed[k]] > 1 {
				wrong = append(wrong, fmt.Sprintf("scope %d closed twice", k))
			}
			if m[x.closed[k]] > 0 && m[x.alive[k]] > 0 {
				wrong = append(wrong, fmt.Sprintf("scope %d closed early", k))
			}
		}
		return strings.Join(wrong, ", ")
	})
	s.Finally(model.If("the inner scope never closed", func(m model.Memory) bool { return m[x.closed[innerScope]] != 1 }))
	return s
}

func TestFinishScopes(t *testing.T) {
	explore(t, scopeSystem,
		variant{"an EDT is handed out before it has its token", "closed"},
		variant{"a stock is taken without counting it", "closed early"},
		variant{"the count is looked at again", "closed"},
		variant{"an EDT returns its token before it ends", "closed early"},
		variant{"a worker keeps its stock when it turns to another scope", "deadlock"},
		variant{"a worker keeps its stock when it finds nothing", "deadlock"})
}
