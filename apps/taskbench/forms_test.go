package taskbench

import (
	"testing"
	"time"
)

// forms are what the EDT form is compared with.
var forms = map[string]func(Config, int) (time.Duration, error){
	"floor": Config.Floor, "goroutines": Config.Goroutines,
}

func TestForms(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			eachShape(func(g Graph) {
				for _, workers := range []int{1, 2, 3, 8} {
					cfg := one(g)
					cfg.Graphs = append(cfg.Graphs, shape(Stencil1D, 5, 7), g)
					if elapsed, err := form(cfg, workers); err != nil || elapsed <= 0 {
						t.Errorf("%v, %d workers: %v, %v", &g, workers, elapsed, err)
					}
				}
			})
		})
	}
}
