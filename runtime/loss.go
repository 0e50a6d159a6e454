package runtime

import (
	"errors"
	"fmt"

	link "ocr/internal/rank"
)

// A RankLostError ends a run over several ranks if one is lost: its process has ended, or does not answer.
type RankLostError struct {
	Rank int
	Why  string
}

func (e *RankLostError) Error() string {
	return fmt.Sprintf("runtime: %v", &link.LostError{Rank: e.Rank, Why: e.Why})
}

// lossOf turns an engine's error into that of Run.
func lossOf(err error) error {
	if lost := (*link.LostError)(nil); errors.As(err, &lost) {
		return &RankLostError{lost.Rank, lost.Why}
	}
	return err
}

// leave takes the graph out of the run, after all workers have left it. It gives up if a rank is lost.
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
