package c2c

import "testing"

// TestPollsOfAnElement: an element that changes after a known number of polls.
func TestPollsOfAnElement(t *testing.T) {
	cfg := Defaults()
	cfg.Test, cfg.Length, cfg.CountPolls = Array, 3, true
	yields := 0
	b := newEnd[uint16](&cfg, 1, fromPage(make([]byte, cfg.memory())))
	b.yield = func() {
		if yields++; yields == 2 {
			b.in[1][1] = 7
		}
	}
	b.deadline = 1<<63 - 1
	b.in[1][0], b.in[1][2] = 7, 7
	for range 2 { // the second time all is there
		if !b.awaitAll(b.in[1], 7) {
			t.Fatal("gave up")
		}
	}
	const polls = 2 * burst * burstBatch
	for i, p := range b.polls {
		want := ElementPolls{}
		want.Transfers[0] = 2
		if i == 1 {
			want.InVain, want.Most = polls, polls
			want.Transfers[0], want.Transfers[PollBuckets-1] = 1, 1 // 2^14
		}
		if p != want {
			t.Errorf("element %d: %+v, want %+v", i, p, want)
		}
	}
}
