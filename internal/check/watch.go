package check

import (
	"bytes"
	"fmt"
	goruntime "runtime"
	"strings"
	"time"
	"unsafe"

	"ocr/internal/sys"
	"ocr/runtime/finding"
)

// Watch begins to look for EDTs that keep their worker for long. [Checker.Finish] ends
// it.
func (k *Checker) Watch() {
	k.watching = make(chan struct{})
	k.watched.Add(1)
	go func() {
		defer k.watched.Done()
		tick := time.NewTicker(k.blocking / 4)
		defer tick.Stop()
		for {
			select {
			case <-k.watching:
				return
			case <-tick.C:
				k.lookForBlocked()
			}
		}
	}()
}

func (k *Checker) stopWatching() {
	if k.watching != nil {
		close(k.watching)
		k.watched.Wait()
		k.watching = nil
	}
}

func (k *Checker) lookForBlocked() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.workers {
		if n := w.current; n != nil && !w.blocked && time.Since(w.began) >= k.blocking {
			w.blocked = true
			k.reportBlocked(w, n)
		}
	}
}

// reportBlocked reports an EDT that has kept its worker for long: one that waits is a
// fault, one that computes is only noted.
func (k *Checker) reportBlocked(w *worker, n *node) {
	took := time.Since(w.began)
	f := finding.Finding{Kind: finding.Blocking, EDT: n.edt, Template: n.template, About: n.about, Object: n.edt, ObjectSite: n.site}
	busy := "processor time is not known"
	if now, ok := sys.ThreadTime(w.thread.id); ok {
		share := func(d time.Duration) float64 { return min(1, float64(d)/float64(took)) }
		ran, queued := share(now.Ran-w.used.Ran), share(now.Queued-w.used.Queued)
		f.Note = ran+queued > 0.5
		busy = fmt.Sprintf("it had a processor for %.0f %% of that and waited for one for %.0f %%", 100*ran, 100*queued)
	}
	f.Detail = fmt.Sprintf("for %v and still; %s\n%s", took.Round(time.Millisecond), busy, stackOf(w.thread.goroutine))
	k.report(f)
}

// goroutineName returns how stack traces call the calling goroutine.
func goroutineName() string {
	var buf [64]byte
	head, _, _ := strings.Cut(string(buf[:goruntime.Stack(buf[:], false)]), " [")
	return head
}

// stackOf returns the app's part of a goroutine's stack.
func stackOf(goroutine string) string {
	buf := make([]byte, 1<<20)
	for _, one := range bytes.Split(buf[:goruntime.Stack(buf, true)], []byte("\n\n")) {
		if bytes.HasPrefix(one, []byte(goroutine+" [")) {
			stack, _, _ := strings.Cut(string(one), "\nocr/edt.(*Ctx).execute")
			return stack
		}
	}
	return "no stack"
}

func uintptrOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
