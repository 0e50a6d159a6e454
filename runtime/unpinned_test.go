package runtime

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"ocr/edt"
	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
)

// TestUnpinnedProcess: a process that an EDT starts may use this process's processors if it is started inside Unpinned,
// else only the worker's.
func TestUnpinnedProcess(t *testing.T) {
	const inChild = "OCR_TEST_MASK"
	if os.Getenv(inChild) != "" {
		m, err := sys.GetAffinity()
		fmt.Printf("mask %v %v\n", m, err)
		return
	}
	allowed := mask(t)
	if len(allowed) < 2 {
		t.Skip("needs two processors")
	}
	exe, err := os.Executable()
	testrun.OK(t, err)
	child := func() string {
		cmd := exec.Command(exe, "-test.run=^TestUnpinnedProcess$")
		cmd.Env = append(os.Environ(), inChild+"=1")
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("the process: %v", err)
		}
		line, _, _ := strings.Cut(string(out), "\n")
		return line
	}
	for _, workers := range []int{1, 2, 5} {
		var mu sync.Mutex
		var free, pinned []string
		mustRun(t, starting(func(c *edt.Ctx) {
			for w := range c.Workers() {
				c.NewEDTAt(c.Bind(w), body(c, func(*edt.Ctx) {
					var out string
					Unpinned(func() { out = child() })
					own := child()
					mu.Lock()
					defer mu.Unlock()
					free, pinned = append(free, out), append(pinned, own)
				}), nil)
			}
		}), Workers(workers))
		for k := range free {
			testrun.Equal(t, fmt.Sprintf("mask %v <nil>", allowed), free[k],
				"%d workers: a process started inside Unpinned", workers)
			if free[k] == pinned[k] {
				t.Errorf("%d workers: a process started by a worker says %q as well", workers, pinned[k])
			}
		}
		testrun.Equal(t, workers, len(free), "processes")
	}
}

// TestUnpinnedThread: f runs on another thread than the worker's, once.
func TestUnpinnedThread(t *testing.T) {
	allowed := mask(t)
	ran := 0
	mustRun(t, starting(func(*edt.Ctx) {
		own := sys.ThreadID()
		for range 1000 {
			Unpinned(func() {
				ran++
				if m, err := sys.GetAffinity(); sys.ThreadID() == own || fmt.Sprint(m) != fmt.Sprint(allowed) {
					t.Errorf("on thread %d of %d with the mask %v, %v", sys.ThreadID(), own, m, err)
				}
			})
		}
	}), Workers(2))
	testrun.Equal(t, 1000, ran, "calls that ran")
}

// TestUnpinnedPanics: if f panics or calls Goexit, the EDT's body does too.
func TestUnpinnedPanics(t *testing.T) {
	cause := errors.New("a cause")
	for _, end := range []func(){func() { panic(cause) }, goruntime.Goexit} {
		_, err := runMain(t, starting(func(*edt.Ctx) {
			Unpinned(end)
			t.Error("Unpinned returned")
		}), Workers(2))
		var p *edt.PanicError
		if !errors.As(err, &p) || p.Template != "main" || errors.Is(err, cause) == strings.Contains(err.Error(), "Goexit") {
			t.Errorf("run: %v, want the panic", err)
		}
	}
}
