package runtime

import (
	"testing"

	"ocr/edt"
)

func tiny(c *edt.Ctx) {
	child := body(c, func(*edt.Ctx) {})
	c.NewEDT(child, nil)
	c.NewEDT(child, nil)
}

func BenchmarkTinyRun(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := Run(b.Context(), starting(tiny), Workers(1)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkManyWorkers(b *testing.B) {
	for b.Loop() {
		if err := Run(b.Context(), starting(tiny), Workers(512)); err != nil {
			b.Fatal(err)
		}
	}
}
