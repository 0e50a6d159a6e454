package edt

import (
	"sync/atomic"
	"testing"

	"ocr/internal/core/ids"
	"ocr/internal/rank"
)

// TestProxyThatCloses: an EDT that comes while a proxy closes gets a new one, which stays when the first has gone.
func TestProxyThatCloses(t *testing.T) {
	loop := rank.NewLoop(2, nil)
	g := NewGraph(Config{Workers: 1, Ranks: &Ranks{Engine: loop.Engine(0), Run: ids.NewRun()}})
	defer g.Close()
	c := g.away.courier
	const low = 1<<63 | 5
	closing := c.enterProxy(1, low, nil)
	// the last EDT in it has ended, on a worker that goes on with closeProxy
	atomic.StoreInt64(&c.events.At(closing).count, 0)
	open := c.enterProxy(1, low, nil)
	if open == closing {
		t.Fatal("an EDT counts in a proxy that closes")
	}
	c.closeProxy(closing, c.events.At(closing))
	if again := c.enterProxy(1, low, nil); again != open {
		t.Errorf("proxy %d, want %d", again, open)
	}
	if e := c.events.At(open); e.count != 2 || e.head != 2 {
		t.Errorf("%d EDTs in the proxy, with %d tokens, want 2 and 2", e.count, e.head)
	}
}
