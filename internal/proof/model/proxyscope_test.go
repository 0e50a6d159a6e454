package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A proxyScopeModel is a finish scope of rank 0, whose EDT creates others on rank 1. A proxy stands for the scope
// there: count is the number of its EDTs, held the number of tokens that came with them. When the count falls to 0 the
// tokens go back, and the record is free for another scope. Two workers of rank 1 run EDTs; the courier creates the
// EDTs that were sent. One EDT of rank 1 creates another there, one creates an EDT on rank 2, which has a proxy for the
// proxy of rank 1.
type proxyScopeModel struct {
	weak                   string
	net                    network
	scope                  model.Word // tokens of rank 0's scope that are outside
	closed                 model.Word
	alive                  model.Word   // EDTs of the scope that have not ended, those on their way included
	lock, proxy            model.Word   // the table of proxies: which record, 0 for none
	used, count, held, bag []model.Word // by record
	kinds                  []model.Word // EDTs of each kind that are to be made yet
	made                   model.Word   // records that were proxies
	sends, local, remote   int
}

const proxyRecords = 5 // number 0 is none

func newProxyScopeModel(s *model.System, weak string, sends, local, remote int) *proxyScopeModel {
	return &proxyScopeModel{weak: weak, net: newNetwork(s, 3), scope: s.Word("scope", 1), closed: s.Word("closed", 0),
		alive: s.Word("alive", 1), lock: s.Word("lock", 0), proxy: s.Word("proxy", 0), made: s.Word("made", 0),
		used: s.Words("used", proxyRecords), count: s.Words("count", proxyRecords), held: s.Words("held", proxyRecords),
		bag: s.Words("bag", proxyRecords), kinds: s.Words("made by EDTs", 2),
		sends: sends, local: local, remote: remote}
}

// give returns tokens to rank 0's scope.
func (x *proxyScopeModel) give(m model.Memory, n int16) int {
	if m[x.scope] -= n; m[x.scope] == 0 {
		m[x.closed]++
	}
	return int(m[x.scope])
}

// opener is the EDT for which the scope was opened.
func (x *proxyScopeModel) opener(p *model.Process) {
	for range x.sends {
		if x.weak == "an EDT is sent before it has its token" {
			p.Atomically("send", func(m model.Memory) int { m[x.alive]++; x.net.send(m, 0, 1, 1); return 0 })
			p.Add(x.scope, 1)
			continue
		}
		p.Add(x.scope, 1)
		p.Atomically("send", func(m model.Memory) int { m[x.alive]++; x.net.send(m, 0, 1, 1); return 0 })
	}
	p.Atomically("end", func(m model.Memory) int { m[x.alive]--; return x.give(m, 1) })
}

// returned takes tokens back on rank 0.
func (x *proxyScopeModel) returned(p *model.Process) {
	if p.When("take tokens back", func(m model.Memory) bool { return m[x.closed] > 0 || x.net.next(m, 1, 0) > 0 },
		func(m model.Memory) int {
			if x.net.next(m, 1, 0) == 0 {
				return 0
			}
			return 1 + x.give(m, int16(x.net.take(m, 1, 0)))
		}) > 0 {
		p.Again("returned", x.returned)
	}
}

// courier creates the EDTs on rank 1.
func (x *proxyScopeModel) courier(p *model.Process) {
	if p.When("take CREATE", func(m model.Memory) bool { return m[x.closed] > 0 || x.net.next(m, 0, 1) > 0 },
		func(m model.Memory) int {
			if x.net.next(m, 0, 1) == 0 {
				return 0
			}
			return x.net.take(m, 0, 1)
		}) == 0 {
		return
	}
	p.Lock(x.lock)
	k := p.Load(x.proxy)
	if k == 0 || !x.join(p, k) {
		k = p.Atomically("new proxy", func(m model.Memory) int {
			for k := 1; k < proxyRecords; k++ {
				if m[x.used[k]] == 0 {
					m[x.used[k]], m[x.count[k]], m[x.held[k]], m[x.proxy] = 1, 1, 0, int16(k)
					m[x.made]++
					return k
				}
			}
			panic("no record is left")
		})
	}
	if x.weak != "a token is counted when its EDT may have ended" {
		p.Add(x.held[k], 1)
	}
	p.Unlock(x.lock)
	p.Add(x.bag[k], 1)
	if x.weak == "a token is counted when its EDT may have ended" {
		p.Add(x.held[k], 1)
	}
	p.Again("courier", x.courier)
}

// join adds an EDT to a proxy, unless the proxy closes.
func (x *proxyScopeModel) join(p *model.Process, k int) bool {
	if x.weak == "an EDT joins a proxy that closes" {
		p.Add(x.count[k], 1)
		return true
	}
	for {
		n := p.Load(x.count[k])
		if n == 0 {
			return false
		}
		if p.CAS(x.count[k], n, n+1) {
			return true
		}
	}
}

// leave gives tokens of a proxy back, and closes the proxy with the last one.
func (x *proxyScopeModel) leave(p *model.Process, k int) {
	if p.Add(x.count[k], -1) != 0 {
		return
	}
	if x.weak != "a proxy is freed while the courier looks at it" {
		p.Lock(x.lock)
	}
	if p.Load(x.proxy) == k {
		p.Store(x.proxy, 0)
	}
	if x.weak != "a proxy is freed while the courier looks at it" {
		p.Unlock(x.lock)
	}
	p.Atomically("send SCOPE, free the proxy", func(m model.Memory) int {
		held := int(m[x.held[k]])
		if x.weak == "one token goes back" {
			held = 1
		}
		x.net.send(m, 1, 0, held)
		m[x.used[k]] = 0
		return held
	})
}

// findEDT returns the record of a proxy that has an EDT to run, 0 for none.
func (x *proxyScopeModel) findEDT(m model.Memory) int {
	for k := range proxyRecords {
		if m[x.bag[k]] > 0 {
			return k
		}
	}
	return 0
}

// worker of rank 1 runs EDTs.
func (x *proxyScopeModel) worker(p *model.Process) {
	k := p.When("take an EDT", func(m model.Memory) bool { return m[x.closed] > 0 || x.findEDT(m) > 0 },
		func(m model.Memory) int {
			k := x.findEDT(m)
			if k != 0 {
				m[x.bag[k]]--
			}
			return k
		})
	if k == 0 {
		return
	}
	p.Again(fmt.Sprint("runs in ", k), func(p *model.Process) {
		p.Atomically("make EDTs", func(m model.Memory) int {
			switch {
			case int(m[x.kinds[0]]) < x.local:
				m[x.kinds[0]]++
				m[x.count[k]]++
				m[x.bag[k]]++
				m[x.alive]++
			case int(m[x.kinds[1]]) < x.remote:
				m[x.kinds[1]]++
				m[x.count[k]]++
				m[x.alive]++
				x.net.send(m, 1, 2, k)
			}
			return 0
		})
		if x.weak == "an EDT returns its token before it ends" {
			x.leave(p, k)
			p.Add(x.alive, -1)
		} else {
			p.Add(x.alive, -1)
			x.leave(p, k)
		}
		p.Again("worker", x.worker)
	})
}

// rank2 runs an EDT in a proxy of its own.
func (x *proxyScopeModel) rank2(p *model.Process) {
	for range x.remote {
		k := p.When("take CREATE", func(m model.Memory) bool { return x.net.next(m, 1, 2) > 0 },
			func(m model.Memory) int { return x.net.take(m, 1, 2) })
		p.Atomically("run, send SCOPE", func(m model.Memory) int {
			m[x.alive]--
			x.net.send(m, 2, 1, k)
			return k
		})
	}
}

// fromRank2 takes tokens of a proxy back on rank 1.
func (x *proxyScopeModel) fromRank2(p *model.Process) {
	for range x.remote {
		x.leave(p, p.When("take tokens back", func(m model.Memory) bool { return x.net.next(m, 2, 1) > 0 },
			func(m model.Memory) int { return x.net.take(m, 2, 1) }))
	}
}

// other opens a scope of rank 1 in a record that was a proxy, and fails if an EDT joins this scope.
func (x *proxyScopeModel) other(p *model.Process) {
	k := p.When("open another scope", func(m model.Memory) bool {
		return m[x.closed] > 0 || m[x.made] > 0 && m[x.used[1]] == 0
	}, func(m model.Memory) int {
		if m[x.used[1]] != 0 {
			return 0
		}
		m[x.used[1]], m[x.count[1]] = 1, 1
		return 1
	})
	if k == 0 {
		return
	}
	if p.Atomically("close it", func(m model.Memory) int {
		m[x.used[1]] = 0
		m[x.count[1]]--
		return int(m[x.count[1]])
	}) != 0 {
		p.Fail("an EDT has joined another scope")
	}
}

func proxyScopeSystem(sends, local, remote int) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprintf("proxy scopes, %d EDTs sent, %d made there, %d sent on", sends, local, remote))
		x := newProxyScopeModel(s, weak, sends, local, remote)
		s.Go("opener", x.opener)
		s.Go("1->0", x.returned)
		s.Go("courier", x.courier)
		s.Go("worker0", x.worker)
		s.Go("worker1", x.worker)
		if remote > 0 {
			s.Go("rank2", x.rank2)
			s.Go("2->1", x.fromRank2)
		} else {
			s.Go("other", x.other)
		}
		s.Always(func(m model.Memory) string {
			switch {
			case m[x.closed] > 1 || m[x.scope] < 0:
				return "the scope closes twice"
			case m[x.closed] > 0 && m[x.alive] > 0:
				return "the scope closes early"
			}
			return ""
		})
		s.Finally(func(m model.Memory) string {
			if m[x.proxy] != 0 {
				return "a proxy is left"
			}
			return ""
		})
		return s
	}
}

func TestProxyScopes(t *testing.T) {
	explore(t, proxyScopeSystem(3, 0, 0))
	explore(t, proxyScopeSystem(1, 1, 1))
	explore(t, proxyScopeSystem(2, 0, 1),
		variant{"an EDT is sent before it has its token", "early"},
		variant{"an EDT returns its token before it ends", "early"},
		variant{"one token goes back", "deadlock"})
	explore(t, proxyScopeSystem(2, 1, 0),
		variant{"a token is counted when its EDT may have ended", "deadlock"},
		variant{"an EDT joins a proxy that closes", "early"},
		variant{"a proxy is freed while the courier looks at it", "another scope"})
}
