package command

import (
	"slices"
	"strings"

	"ocr/internal/command/cli"
	"ocr/internal/measure/testbed"
	"ocr/internal/watch/predict"
	"ocr/runtime"
)

// PredictFlags are the flags of a command whose task graphs can be predicted.
func (f *Flags) PredictFlags() {
	f.Var(cli.Wholes(&f.predict.Workers, 1, runtime.MaxWorkers), "predict",
		"predict the task graphs' time on so many workers with a processor each, as 4,16,64, in place of measuring")
	read := func(text string) ([]string, error) {
		var scratch predict.Costs
		return strings.Split(text, ","), cli.Items(text, scratch.Set)
	}
	f.Var(cli.New(&f.predict.Costs, "LIST", read, func(c []string) string { return strings.Join(c, ",") }), "cost",
		"what steps of the runtime take in --predict, as wake=5us,spin=1ms: edt, send, hop, steal, wake, waking, "+
			"spin, gap (default: measured)")
}

// applyPredict resolves --predict.
func (f *Flags) applyPredict(bed *testbed.Bed) error {
	if f.Lookup("predict") == nil || !f.Given("predict") {
		return f.RefuseIf(true, "cost", "must be with --predict")
	}
	for _, other := range slices.Concat(observing, []string{"schedule", "check", "watchdog"}) {
		if f.Given(other) {
			return cli.Usagef("%s: cannot be had together with --predict", f.Spelled(other))
		}
	}
	if f.Ranks > 1 {
		return cli.Usagef("%s %d: cannot be had together with --predict", f.Spelled("ranks"), f.Ranks)
	}
	bed.Predict = &f.predict
	return nil
}
