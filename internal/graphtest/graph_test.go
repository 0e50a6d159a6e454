package graphtest

import (
	"testing"

	"ocr/edt"
	"ocr/edt/edttest"
)

// TestPlansUnderSeeds runs plans one EDT at a time, in several orders.
func TestPlansUnderSeeds(t *testing.T) {
	plans := 400
	if testing.Short() {
		plans = 60
	}
	for seed := range uint64(plans) {
		p := Generate(seed, 1+int(seed*7%60))
		want := p.Expect()
		for order := range uint64(4) {
			h := edttest.New(order, edt.Config{Workers: 1 + int(order)})
			x := p.NewExecution()
			if err := h.Run(x.Main); err != nil {
				t.Fatalf("plan %d, order %d: %v", seed, order, err)
			}
			if diff := x.Compare(h.Graph.Counters(), want); diff != "" {
				t.Fatalf("plan %d, order %d: %s", seed, order, diff)
			}
			if leaks := h.Graph.Leaks(); len(leaks) > 0 {
				t.Fatalf("plan %d, order %d: leaks %v", seed, order, leaks)
			}
			h.Graph.Close()
		}
	}
}
