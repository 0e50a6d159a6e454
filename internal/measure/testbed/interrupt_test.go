package testbed

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ocr/internal/proof/testrun"
)

// heard is a command that has heard signals, and what became of it.
type heard struct {
	signals chan os.Signal
	*interrupt
	out               strings.Builder
	cancelled, exited atomic.Bool
}

// hearing runs a test of what signals do.
func hearing(t *testing.T, do func(h *heard)) {
	synctest.Test(t, func(t *testing.T) {
		h := &heard{signals: make(chan os.Signal, 4)}
		h.interrupt = &interrupt{
			console: NewConsole("ocrbench", &h.out), ended: make(chan struct{}), abandoned: make(chan struct{}),
			cancel: func() { h.cancelled.Store(true) }, exit: func() { h.exited.Store(true) },
		}
		go h.hear(h.signals)
		do(h)
		close(h.ended)
	})
}

// after sends a signal, and waits for a while.
func (h *heard) after(d time.Duration) {
	h.signals <- os.Interrupt
	time.Sleep(d)
	synctest.Wait()
}

// said returns what the console was told.
func (h *heard) said() string {
	h.console.mu.Lock()
	defer h.console.mu.Unlock()
	return h.out.String()
}

func (h *heard) isAbandoned() bool {
	select {
	case <-h.abandoned:
		return true
	default:
		return false
	}
}

// The first signal ends the run, the second ends it without its EDTs, the third the process.
func TestSignals(t *testing.T) {
	hearing(t, func(h *heard) {
		h.after(sameSignal)
		if !h.cancelled.Load() || h.isAbandoned() || h.exited.Load() || h.said() != "" {
			t.Errorf("after one: cancelled %v, abandoned %v, exited %v, %q", h.cancelled.Load(), h.isAbandoned(),
				h.exited.Load(), h.said())
		}
		time.Sleep(longEDT)
		synctest.Wait()
		testrun.Equal(t, "ocrbench: interrupted: waiting for running EDTs; again to stop at once\n", h.said(),
			"a run that does not end")
		h.after(sameSignal)
		if !h.isAbandoned() || h.exited.Load() {
			t.Errorf("after two: abandoned %v, exited %v", h.isAbandoned(), h.exited.Load())
		}
		h.after(0)
		if !h.exited.Load() {
			t.Error("after three: the process goes on")
		}
	})
}

// A signal that comes twice at once is one: shells send it to a process and to its group.
func TestDoubledSignalCountsOnce(t *testing.T) {
	hearing(t, func(h *heard) {
		h.after(sameSignal / 3)
		h.after(sameSignal / 3)
		if !h.cancelled.Load() || h.isAbandoned() {
			t.Error("a doubled signal was taken for a second one")
		}
	})
}

// A command that does not end after the second signal is ended.
func TestSecondSignalEndsTheProcess(t *testing.T) {
	hearing(t, func(h *heard) {
		h.after(sameSignal)
		h.after(lastWords)
		if !h.exited.Load() {
			t.Error("the process goes on")
		}
	})
}
