package testbed

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ErrInterrupted is the cause of a run's end if the user ended it.
var ErrInterrupted = errors.New("interrupted")

const (
	// sameSignal is how soon a second signal counts as the first one: shells and timeout(1) send an interrupt to the
	// process and to its group.
	sameSignal = 500 * time.Millisecond
	// longEDT is how long an interrupted run goes on before the user gets a message.
	longEDT = time.Second
	// lastWords is how long a command that stops at once may take to write its results.
	lastWords = 5 * time.Second
)

// Interruptible returns a context that the user's signals end, SIGINT, SIGTERM and SIGHUP, unless the process was
// started to ignore them. The first one ends a run after the EDTs that are running. The second closes abandoned, for
// [RunOptions.Abandon]: the run ends without them. In both cases what was measured can be written. A third signal calls
// exit, and so does a command that does not end some seconds after the second. After stop, signals are as before.
func Interruptible(ctx context.Context, c *Console, exit func()) (_ context.Context, abandoned <-chan struct{},
	stop func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // by nohup, or by a shell for what runs in its background
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	ctx = context.WithValue(ctx, canceller{}, cancel)
	x := &interrupt{c, func() { cancel(ErrInterrupted) }, exit, make(chan struct{}), make(chan struct{})}
	go x.hear(signals)
	return ctx, x.abandoned, func() {
		signal.Stop(signals)
		close(x.ended)
		cancel(nil)
	}
}

// canceller is the key of what cancels a context of Interruptible.
type canceller struct{}

// endLike ends a command as the user's interrupt does, for another reason: what was measured can be written. It returns
// how the command ends.
func endLike(ctx context.Context, why error) error {
	err := errors.Join(why, ErrInterrupted)
	if cancel, is := ctx.Value(canceller{}).(context.CancelCauseFunc); is {
		cancel(err)
	}
	return err
}

// interrupt is what signals do to a command.
type interrupt struct {
	console   *Console
	cancel    func()
	exit      func()
	ended     chan struct{} // closed when signals are no longer handled
	abandoned chan struct{} // closed by the second signal
}

// hear acts on signals.
func (x *interrupt) hear(signals <-chan os.Signal) {
	var latest time.Time
	var late <-chan time.Time
	for heard := 0; ; {
		select {
		case <-x.ended:
			return
		case <-late:
			if heard > 1 {
				x.exit()
				return
			}
			late = nil
			x.console.Say("interrupted: waiting for running EDTs; again to stop at once")
		case <-signals:
			if time.Since(latest) < sameSignal {
				continue
			}
			latest = time.Now()
			switch heard++; heard {
			case 1:
				x.cancel()
				late = time.After(longEDT)
			case 2:
				close(x.abandoned)
				late = time.After(lastWords)
			default:
				x.exit()
				return
			}
		}
	}
}
