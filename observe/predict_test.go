package observe_test

import (
	"errors"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/observe"
	"ocr/runtime"
)

// TestPredict: a program has as many workers as were asked for, and each run is within its bounds.
func TestPredict(t *testing.T) {
	costs := observe.MeasureCosts()
	var places []int
	main := func(c *edt.Ctx, _ edt.Args) guid.GUID {
		places = append(places, c.Places())
		leaf := c.NewTemplate("leaf", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
		for range 100 {
			c.Spawn(leaf, &edt.Spec{})
		}
		return guid.Null
	}
	got, err := observe.Predict(t.Context(), main, 8, costs)
	if err != nil || len(places) != 3 || places[0] != 1 || places[1] != 8 || places[2] != 8 {
		t.Fatalf("places %v, error %v", places, err)
	}
	if got.Work <= 0 || got.Span <= 0 || got.Work+got.Overhead+got.Idle != 8*got.Time {
		t.Errorf("%+v with %v", got, costs)
	}
	var bad *runtime.OptionError
	if _, err := observe.Predict(t.Context(), main, 0, costs); !errors.As(err, &bad) {
		t.Errorf("0 workers: error %v", err)
	}
}
