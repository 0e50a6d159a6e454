package check_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// TestNoMemoryForViewsIsReported: where files may not be large there are no views, and the report says what that means.
func TestNoMemoryForViewsIsReported(t *testing.T) {
	const child = "OCR_TEST_NO_VIEWS"
	if os.Getenv(child) != "" {
		warned := slices.ContainsFunc(checkedOnce().Warnings, func(w string) bool {
			return strings.Contains(w, "not checked")
		})
		if !warned {
			t.Error("no warning")
		}
		return
	}
	cmd := exec.Command("sh", "-c", `ulimit -f 1000 && exec "$0" -test.run '^TestNoMemoryForViewsIsReported$'`, os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// checkedOnce runs a program of one EDT in check mode, which may report that the EDT takes long.
func checkedOnce() (told runtime.Report) {
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, in edt.Args) guid.GUID {
		c.DestroyBlock(in.Dep(0).GUID())
		return guid.Null
	}, runtime.Check(), runtime.Blocking(time.Nanosecond), runtime.Workers(1), runtime.Into(&told))
	return told
}

// TestShortestBlocking: it is less than can be waited for.
func TestShortestBlocking(t *testing.T) {
	testrun.Equal(t, 1, checkedOnce().Workers)
}
