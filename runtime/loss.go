package runtime

import (
	"errors"
	"fmt"

	link "ocr/internal/rank"
)

// A RankLostError is the end of a run over several ranks of which one is gone: its process has ended, or
// does not answer.
type RankLostError struct {
	Rank int
	Why  string
}

func (e *RankLostError) Error() string {
	return fmt.Sprintf("runtime: %v", &link.LostError{Rank: e.Rank, Why: e.Why})
}

// lossOf makes the error of Run of an engine's.
func lossOf(err error) error {
	if lost := (*link.LostError)(nil); errors.As(err, &lost) {
		return &RankLostError{lost.Rank, lost.Why}
	}
	return err
}

// leave takes the graph out of the run, after all workers have ended. If a rank is gone it gives that up.
func (r *run) leave() {
	if r.ranks == nil {
		return
	}
	for !r.graph.Leave() {
		if r.lost = lossOf(r.ranks.Engine.Err()); r.lost != nil {
			return
		}
		r.ranks.Engine.Sleep(longGap)
	}
}
