package rank

import (
	goruntime "runtime"
	"sync"
	"testing"
)

func TestTurn(t *testing.T) {
	const each = 2000
	var turn turn
	var all sync.WaitGroup
	n := 0
	for range 4 {
		all.Go(func() {
			for range each {
				turn.take()
				was := n
				goruntime.Gosched()
				n = was + 1
				turn.leave()
			}
		})
	}
	if all.Wait(); n != 4*each {
		t.Errorf("%d turns, want %d", n, 4*each)
	}
}
