package smithwaterman

import (
	"fmt"

	"ocr/apps/trial"
)

// Verify compares the result of the latest run with that of the whole table, which it computes
// the first time.
func (a *App) Verify() error {
	if !a.Ended() {
		return trial.ErrIncomplete
	}
	if a.want == nil {
		a.want = a.literal()
	}
	got, want := a.got, *a.want
	if got.Borders != want.Borders {
		return trial.Wrong(appName, "the sum of the tiles' borders", got.Borders, want.Borders)
	}
	if got != want {
		return trial.Wrong(appName, "the best alignment", got, want)
	}
	return nil
}

func (o outcome) String() string {
	return fmt.Sprintf("score %d at letters %d and %d", o.Score, o.Row, o.Column)
}

// literal fills the table by the formula as it is written, without the kernel: verification does not trust
// what it verifies.
func (a *App) literal() *outcome {
	var best outcome
	n, tile := a.cfg.Length, a.cfg.Tile
	above, row := make([]int32, n+1), make([]int32, n+1)
	for i := range n {
		last := (i+1)%tile == 0 || i == n-1 // of a row of tiles
		for j := range n {
			pay := int32(-3)
			if a.a[i].Letter == a.b[j].Letter {
				pay = 2
			}
			h := max(above[j]+pay, above[j+1]-4, row[j]-4, 0)
			row[j+1] = h
			if h > best.Score {
				best.Score, best.Row, best.Column = h, int32(i), int32(j)
			}
			if last {
				best.Borders += uint64(h) * weight(i, j)
			}
			if (j+1)%tile == 0 || j == n-1 {
				best.Borders += uint64(h) * weight(i, j)
			}
		}
		above, row = row, above
	}
	return &best
}
