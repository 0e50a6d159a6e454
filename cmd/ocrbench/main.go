// Ocrbench runs, verifies, measures and explains the apps of the task-graph
// runtime. See ocrbench help.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"ocr/internal/harness"
	"ocr/internal/sys"
)

func main() { os.Exit(mainCode()) }

func mainCode() int {
	if limit := sys.AddressSpace(); limit != 0 && limit < leastAddresses {
		fmt.Fprintf(os.Stderr, "ocrbench: the address space is limited to %d MiB: must be %d MiB or more, see ulimit -v\n", limit>>20, leastAddresses>>20)
		return exitFailed
	}
	s := newSession(os.Args, stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.LookupEnv)
	ctx, abandon, stop := harness.Interruptible(context.Background(), s.console, func() { os.Exit(exitInterrupted) })
	defer stop()
	s.abandon = abandon
	quits := make(chan os.Signal, 1)
	signal.Notify(quits, syscall.SIGQUIT)
	defer signal.Stop(quits)
	go func() {
		for range quits {
			s.inspect.Asked()
		}
	}()
	return s.run(ctx)
}
