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

// longEDT is how long an interrupted run may continue before the user gets a message. A second signal before that
// counts as the first one: shells and timeout(1) send an interrupt to the process and to its group.
const longEDT = time.Second

// Interruptible returns a context that the user's signals cancel: SIGINT, SIGTERM and SIGHUP, unless the process was
// started to ignore them. The first signal ends a run after the running EDTs, and the command can write its results. If
// these EDTs take long a message says so, and the next signal calls exit. stop restores the signals.
func Interruptible(ctx context.Context, c *Console, exit func()) (_ context.Context, stop func()) {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // by nohup, or by a shell for a background process
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	ctx = context.WithValue(ctx, canceller{}, cancel)
	go hear(signals, c, func() { cancel(ErrInterrupted) }, exit)
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}

// hear reacts to signals until their channel is closed.
func hear(signals <-chan os.Signal, c *Console, cancel, exit func()) {
	if _, more := <-signals; !more {
		return
	}
	cancel()
	for long := time.After(longEDT); long != nil; {
		select {
		case <-long:
			long = nil
		case _, more := <-signals:
			if !more {
				return
			}
		}
	}
	c.Say("interrupted: waiting for running EDTs; again to stop at once, without results")
	if _, more := <-signals; more {
		exit()
	}
}

// canceller is the key of the function that cancels a context of Interruptible.
type canceller struct{}

// endLike ends a command as the user's interrupt does, for another reason: the command can write its results. It
// returns the error of the command.
func endLike(ctx context.Context, why error) error {
	err := errors.Join(why, ErrInterrupted)
	if cancel, is := ctx.Value(canceller{}).(context.CancelCauseFunc); is {
		cancel(err)
	}
	return err
}
