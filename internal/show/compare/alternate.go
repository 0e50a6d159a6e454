package compare

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"ocr/internal/show/report"
)

// lastBreath is the time that an interrupted binary has to end.
const lastBreath = 5 * time.Second

// Started is called with the binary of a run that begins, and the number of the run, from 1.
type Started func(binary string, run int)

// Alternate runs two binaries of ocrbench in turn, in the order old, new, new, old, old, new and so on, each the given
// number of times with the same arguments. So a machine that becomes slower or busier affects both. Each file that it
// returns has one sample of a unit for each run, the median of that run's samples.
//
// Alternate calls started before each run, and check with the files of the first round. If ctx is cancelled or a run
// fails, it returns the error, and files of the rounds that both binaries have completed. If there is no such round, or
// check has returned an error, which ends the runs, the files are nil.
func Alternate(ctx context.Context, binaries [2]string, args []string, runs int, started Started,
	check func(before, after *File) error) (*File, *File, error) {
	done, err := takeTurns(ctx, binaries, args, runs, started, check)
	whole := min(len(done[0]), len(done[1]))
	if whole == 0 {
		return nil, nil, err
	}
	note := fmt.Sprintf("ran %d times, in turn with the other: a sample is the median of a run", runs)
	switch {
	case err != nil && ctx.Err() != nil:
		note = fmt.Sprintf("was interrupted after %d of %d runs", whole, runs)
	case err != nil:
		note = fmt.Sprintf("ran %d of %d times, in turn with the other, then a run failed: a sample is the median of a run",
			whole, runs)
	}
	return merge(binaries[0], done[0][:whole], note), merge(binaries[1], done[1][:whole], note), err
}

// takeTurns returns the documents that each binary has printed, until a run fails.
func takeTurns(
	ctx context.Context, binaries [2]string, args []string, runs int, started Started,
	check func(before, after *File) error,
) (done [2][]*report.Document, err error) {
	for round := range runs {
		for turn := range 2 {
			which := (turn + round) % 2
			started(binaries[which], round+1)
			d, err := runBinary(ctx, binaries[which], args)
			switch {
			case ctx.Err() != nil:
				return done, context.Cause(ctx)
			case err != nil:
				return done, fmt.Errorf("%s: %w", binaries[which], err)
			}
			done[which] = append(done[which], d)
		}
		if round > 0 {
			continue
		}
		if err := check(merge(binaries[0], done[0], ""), merge(binaries[1], done[1], "")); err != nil {
			return [2][]*report.Document{}, err
		}
	}
	return done, nil
}

// runBinary runs a binary once and reads the document that it prints.
func runBinary(ctx context.Context, binary string, args []string) (*report.Document, error) {
	cmd := exec.CommandContext(ctx, binary,
		slices.Concat(args, []string{"--format", "json", "--output", "-", "--quiet"})...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = lastBreath
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		said, _, _ := strings.Cut(errs.String(), "\n-----") // mpirun's own words stand between such lines
		lines := strings.Split(strings.TrimSpace(said), "\n")
		if last := lines[len(lines)-1]; last != "" {
			return nil, fmt.Errorf("%w: %s", report.Bare(err), last)
		}
		return nil, report.Bare(err)
	}
	d, err := report.Parse(out.Bytes())
	if err == nil {
		err = d.Empty()
	}
	if err != nil {
		return nil, fmt.Errorf("what it printed %w", err)
	}
	return d, nil
}

// CheckBinary returns an error of one line if a binary cannot be run.
func CheckBinary(path string) error {
	_, err := exec.LookPath(path)
	return report.Bare(err)
}
