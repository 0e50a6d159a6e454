package nqueens

import (
	"fmt"

	"ocr/apps/trial"
)

// known[n] is the number of ways to place n queens (OEIS A000170).
var known = [maxN + 1]uint64{
	1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624,
}

// Verify compares the latest run's count with the known one.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if want := known[a.cfg.N]; a.ways != want {
		return trial.Wrong(appName, fmt.Sprintf("ways to place %d queens", a.cfg.N), a.ways, want)
	}
	return nil
}
