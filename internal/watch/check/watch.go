package check

import (
	"fmt"
	"strings"
	"time"

	"ocr/internal/core/sys"
	"ocr/runtime/finding"
)

// Watch starts the search for EDTs that keep their worker for long. [Checker.Finish] ends it.
func (k *Checker) Watch() {
	k.watching = make(chan struct{})
	k.watched.Go(func() {
		tick := time.NewTicker(max(1, k.blocking/4))
		defer tick.Stop()
		for {
			select {
			case <-k.watching:
				return
			case <-tick.C:
				for _, f := range k.lookForBlocked() {
					if k.blocked != nil {
						k.blocked(f)
					}
				}
			}
		}
	})
}

func (k *Checker) stopWatching() {
	if k.watching != nil {
		close(k.watching)
		k.watched.Wait()
		k.watching = nil
	}
}

// lookForBlocked reports EDTs that keep their worker for long, and returns the findings of those that seem to wait. It
// makes system calls without the lock, so workers go on.
func (k *Checker) lookForBlocked() (waiting []finding.Finding) {
	for _, w := range k.workers {
		n, thread := k.long(w)
		if n == nil {
			continue
		}
		used, known := sys.ThreadTime(thread.id)
		k.lock()
		first := w.current == n && w.seen.IsZero()
		if first {
			w.seen, w.used = time.Now(), used
		}
		seen, before, took := w.seen, w.used, w.took()
		k.mu.Unlock()
		if first || took < k.blocking {
			continue
		}
		f, waits := blocking(n, took, time.Since(seen), known, used, before)
		stack, _, _ := strings.Cut(sys.StackOf(thread.goroutine), "\nocr/edt.(*Ctx).execute") // the app's part
		f.Detail += "\n" + stack
		k.lock()
		if w.current == n && !w.blocked { // else the stack may be of another EDT
			w.blocked = true
			k.report(f)
			if waits {
				waiting = append(waiting, f)
			}
		}
		k.mu.Unlock()
	}
	return waiting
}

// long returns the unreported EDT that has kept a worker for long, nil for none, and the worker's thread.
func (k *Checker) long(w *worker) (*node, thread) {
	k.lock()
	defer k.mu.Unlock()
	if w.current == nil || w.blocked || w.aside.Load() != 0 { // the worker may wait for the checker's locks
		return nil, thread{}
	}
	if w.took() < k.blocking/4 {
		return nil, thread{}
	}
	return w.current, w.thread
}

// took is how long the EDT that runs has kept its worker.
func (w *worker) took() time.Duration {
	return time.Since(w.began) - time.Duration(w.excused.Load())
}

// blocking is the finding of an EDT that has kept its worker for long; waits is whether it seems to wait, not to
// compute. It is always a note: the time that an EDT takes depends on the load of the machine.
func blocking(
	n *node, took, last time.Duration, known bool, used, before sys.ThreadTimes,
) (f finding.Finding, waits bool) {
	f = n.finding(finding.Blocking, "", n.edt, n.site, "")
	f.Note, waits = true, true
	busy := "processor time is not known"
	if known {
		share := func(d time.Duration) float64 { return min(1, float64(d)/float64(last)) }
		ran, queued := share(used.Ran-before.Ran), share(used.Queued-before.Queued)
		waits = ran+queued <= 0.5
		busy = fmt.Sprintf("of the last part it had a processor for %.0f %% and waited for one for %.0f %%",
			100*ran, 100*queued)
	}
	f.Detail = fmt.Sprintf("for %v and still; %s", took.Round(time.Millisecond), busy)
	return f, waits
}
