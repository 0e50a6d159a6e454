package ids

import (
	"iter"
	goruntime "runtime"
	"testing"

	"ocr/internal/core/sys"
)

// TestOwner: the owner and its coroutines count as the owner, another goroutine does not.
func TestOwner(t *testing.T) {
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	own := Owning()
	next, stop := iter.Pull(func(yield func(bool) bool) { yield(own.Calls()) })
	defer stop()
	if in, _ := next(); !in || !own.Calls() {
		t.Errorf("coroutine %v, goroutine itself %v: want both to count as the owner", in, own.Calls())
	}
	other := make(chan bool)
	go func() { other <- own.Calls() }()
	if <-other && sys.Goroutine() != 0 {
		t.Error("another goroutine counts as the owner")
	}
	if !new(Owner).Calls() {
		t.Error("the zero Owner refuses a call")
	}
}
