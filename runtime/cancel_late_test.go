package runtime_test

import (
	"context"
	"errors"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// A context that ends after the run has is none of the run's business; one that
// ends before gives an error with OCR's code.
func TestCancelledAfterShutdown(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	err := runtime.Run(ctx, func(c *edt.Ctx, _ edt.Args) guid.GUID {
		c.Shutdown()
		cancel()
		return guid.Null
	})
	testrun.OK(t, err, "shut down, then cancelled")
	err = runtime.Run(ctx, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	if !errors.Is(err, context.Canceled) || !errors.Is(err, edt.ECANCELED) {
		t.Errorf("cancelled before: %v", err)
	}
}
