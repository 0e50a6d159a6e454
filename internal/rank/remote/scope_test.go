package remote

import (
	"testing"

	"ocr/edt"
	"ocr/internal/core/ids"
	"ocr/internal/rank"
)

// A closing is a Part that calls then() when a proxy of a scope has closed, before the tokens go back.
type closing struct {
	*Part
	then func()
}

func (c closing) Send(on *edt.Ctx, to int, a edt.Act) {
	c.then()
	c.Part.Send(on, to, a)
}

// TestProxyThatCloses: an EDT that comes while a proxy closes gets a new proxy, which stays when the first one is
// removed.
func TestProxyThatCloses(t *testing.T) {
	loop := rank.NewLoop(2, nil)
	p := New(Config{Engine: loop.Engine(0), Run: ids.NewRun()})
	of := scopeOf{1, 1<<63 | 5}
	var first, open uint32
	ranks := p.Ranks()
	ranks.Join = func(courier edt.Home) edt.Remote {
		p.start(courier)
		return closing{p, func() {
			if open == 0 {
				open = p.enterScope(of, nil)
			}
		}}
	}
	g := edt.NewGraph(edt.Config{Workers: 1, Ranks: ranks})
	defer g.Close()
	first = p.enterScope(of, nil)
	p.courier.GiveTokens(uint64(first), 1, nil)
	if open == 0 || open == first {
		t.Fatalf("an EDT counts in proxy %d, which closes: in %d", first, open)
	}
	if again := p.enterScope(of, nil); again != open {
		t.Errorf("proxy %d, want %d", again, open)
	}
	p.courier.GiveTokens(uint64(open), 2, nil)
	var returned []uint64
	loop.Engine(1).Poll(2, func(_ int, m *rank.Message) bool {
		returned = append(returned, m.Words[wordThird])
		return m.Kind == uint8(edt.ActReturn) && m.Words[1] == of.low
	})
	if len(returned) != 2 || returned[0] != 1 || returned[1] != 2 {
		t.Errorf("tokens come back: %v, want 1 and 2", returned)
	}
}
