package remote

import (
	"testing"

	"ocr/internal/proof/testrun"
)

// TestWaves: a run is over if all messages that were sent by the latest wave were handled by the one before, and not
// while a message is on its way.
func TestWaves(t *testing.T) {
	type counts struct{ sent, handled uint64 }
	for _, tt := range []struct {
		name  string
		waves []counts
		over  bool
	}{
		{"one wave may have missed a message", []counts{{1, 1}}, false},
		{"one wave after the last message", []counts{{1, 0}, {1, 1}}, false},
		{"two waves after the last message", []counts{{1, 0}, {1, 1}, {1, 1}}, true},
		{"a message that never arrives", []counts{{1, 0}, {1, 0}}, false},
		{"a rank that has answered handles a message and sends another", []counts{{1, 0}, {2, 1}}, false},
	} {
		w, over := &waves{}, false
		for _, c := range tt.waves {
			w.begin(1, 0, 0)
			w.count(c.sent, c.handled)
			over = w.over()
		}
		testrun.Equal(t, tt.over, over, "%s: over", tt.name)
	}
}
