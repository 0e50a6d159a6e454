//go:build unix

package runtime

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"ocr/edt"
	"ocr/internal/proof/testrun"
)

const childVariable = "OCR_TEST_INTERRUPTED"

// TestInterruptedProcess sends SIGINT, at a random moment, to a process that runs a graph as the command does. The
// process ends by itself and prints that it was cancelled.
func TestInterruptedProcess(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		interrupted()
	}
	n := sized(5, 200)
	for k := range uint64(n) {
		rng := rand.New(rand.NewPCG(k, 11))
		// The limit finds a process that hangs; SIGQUIT makes it print its stacks.
		ctx, cancel := context.WithTimeout(context.Background(), *hangAfter)
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "TestInterruptedProcess$")
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
		cmd.Env = append(os.Environ(), childVariable+"=1")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		testrun.OK(t, err)
		testrun.OK(t, cmd.Start())
		out := bufio.NewReader(stdout)
		_, _ = out.ReadString('\n') // it listens
		time.Sleep(time.Duration(rng.IntN(3e6)))
		_ = cmd.Process.Signal(os.Interrupt)
		said, _ := out.ReadString('\n')
		err = cmd.Wait()
		cancel()
		if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(said, "interrupt") {
			t.Fatalf("seed %d: %v, said %q\n%s", k, err, said, stderr.String())
		}
	}
	t.Logf("%d processes", n)
}

// interrupted is the child process: it runs until it is interrupted.
func interrupted() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fmt.Println("listening")
	m := &mill{strands: 20, turns: 1 << 60}
	err := Run(ctx, m.main, Workers(3))
	fmt.Println("interrupt:", err)
	if errors.Is(err, context.Canceled) && errors.Is(err, edt.ECANCELED) {
		os.Exit(130)
	}
	os.Exit(1)
}
