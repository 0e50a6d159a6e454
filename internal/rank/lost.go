package rank

import "fmt"

// A LostError reports the loss of a rank: its process has ended too early, or does not answer.
type LostError struct {
	Rank int
	Why  string
}

func (e *LostError) Error() string { return fmt.Sprintf("rank %d is lost: %s", e.Rank, e.Why) }
