package rank

import "fmt"

// A LostError reports that a rank has ended or failed before it closed its engine; on a rank other than
// 0 it may name rank 0 for the whole job.
type LostError struct {
	Rank int
	Why  string
}

func (e *LostError) Error() string { return fmt.Sprintf("rank %d is lost: %s", e.Rank, e.Why) }
