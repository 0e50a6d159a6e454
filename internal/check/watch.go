package check

import (
	"bytes"
	"fmt"
	goruntime "runtime"
	"strings"
	"time"

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
		tick := time.NewTicker(max(1, k.blocking/4))
		defer tick.Stop()
		for {
			select {
			case <-k.watching:
				return
			case <-tick.C:
				for _, f := range k.lookForBlocked() {
					if k.blocked != nil && !f.Note {
						k.blocked(f)
					}
				}
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

// lookForBlocked reports EDTs that keep their worker for long, and returns what it has
// reported.
func (k *Checker) lookForBlocked() (all []finding.Finding) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, w := range k.workers {
		n := w.current
		if n == nil || w.blocked || w.aside.Load() != 0 { // it may wait for the checker's locks
			continue
		}
		took := time.Since(w.began) - time.Duration(w.excused.Load())
		if w.seen.IsZero() {
			if took >= k.blocking/4 {
				w.seen = time.Now()
				w.used, _ = sys.ThreadTime(w.thread.id)
			}
		} else if took >= k.blocking {
			w.blocked = true
			f := w.blocking(n, took)
			k.report(f)
			f.Ranks = k.log != nil
			all = append(all, f)
		}
	}
	return all
}

// blocking is the finding of an EDT that has kept its worker for long: one that waits is
// a fault, one that computes is only noted.
func (w *worker) blocking(n *node, took time.Duration) finding.Finding {
	f := finding.Finding{Kind: finding.Blocking, EDT: n.edt, Template: n.template, About: n.about, Object: n.edt, ObjectSite: n.site}
	busy := "processor time is not known"
	if now, ok := sys.ThreadTime(w.thread.id); ok {
		share := func(d time.Duration) float64 { return min(1, float64(d)/float64(time.Since(w.seen))) }
		ran, queued := share(now.Ran-w.used.Ran), share(now.Queued-w.used.Queued)
		f.Note = ran+queued > 0.5
		busy = fmt.Sprintf("of the last part it had a processor for %.0f %% and waited for one for %.0f %%", 100*ran, 100*queued)
	}
	f.Detail = fmt.Sprintf("for %v and still; %s\n%s", took.Round(time.Millisecond), busy, stackOf(w.thread.goroutine))
	return f
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
