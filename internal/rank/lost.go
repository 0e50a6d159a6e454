package rank

import "fmt"

// A LostError says that a rank is gone that should not be, or, on a rank other than 0, that
// rank 0 is.
type LostError struct {
	Rank int
	Why  string
}

func (e *LostError) Error() string { return fmt.Sprintf("rank %d is lost: %s", e.Rank, e.Why) }
