package command

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"ocr/apps/trial"
	"ocr/internal/command/cli"
	"ocr/internal/core/sys"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/internal/rank/mpi"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// run makes the RunE of a cobra command.
func (f *Flags) run(do Body) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		f.Args = args
		err := f.prepare()
		if err == nil {
			d, ended := do(cmd.Context(), f.Bed)
			err = f.Bed.Checks.Verdict(f.Bed.Console, f.Bed.Write(d, ended))
			f.Bed.Pool.Close()
		}
		var bad *trial.ConfigError
		switch {
		case !errors.As(err, &bad):
			return err
		case bad.Value == "": // the flag itself is refused
			return cli.Usagef("--%s: must be %s", bad.Flag, bad.Allowed)
		}
		return cli.Usagef("%s", bad.Line(report.Plain(bad.Value)))
	}
}

// prepare completes the testbed.
func (f *Flags) prepare() (err error) {
	bed := f.Bed
	bed.Options = append(bed.Options, testbed.Watchdog(bed.Console, f.still, f.of.Polls))
	if bed.Verify = !f.noVerify; f.check {
		bed.Checks = &testbed.Checks{Small: f.makeSmall()}
		bed.Options = append(bed.Options, runtime.Check())
	}
	if err := f.conflicts(); err != nil {
		return err
	}
	if bed.Machine, err = machine.Read(); err != nil {
		return err
	}
	bed.Resolution = bed.Machine.Clock
	if f.of.Has&Placement != 0 {
		if bed.Pool, err = testbed.NewPool(bed.Machine, f.Ranks, f.Workers, f.CPUs, f.Bind); err != nil {
			return err
		}
	}
	if f.watch.Asked() != "" {
		bed.Watch = &f.watch
	}
	if f.Verdict != nil {
		err = f.Verdict()
	}
	if err == nil {
		err = f.filesApart()
	}
	if err != nil {
		return err
	}
	return f.startRanks()
}

// conflicts refuses flags that exclude each other, contradict mpirun, or need Graphviz's dot where it is missing.
func (f *Flags) conflicts() error {
	if mpi.Launched() && f.Ranks != mpi.Ranks() {
		return f.Refuse("ranks", fmt.Sprintf("must be %d, as many processes as mpirun has started", mpi.Ranks()))
	}
	if f.Ranks > 1 && f.of.Has&Ranks == 0 {
		return cli.Usagef("mpirun has started %d processes: %s runs in one", f.Ranks, f.of.Name)
	}
	const together = "cannot be had together with "
	over, unlike := fmt.Sprintf("%s--ranks %d", together, f.Ranks), together+"--format "+f.Bed.Format
	if err := cmp.Or(f.RefuseIf(f.Ranks > 1, "check", over), f.RefuseIf(f.Ranks > 1, "stats", over),
		f.RefuseIf(f.Ranks > 1, "graph", over),
		f.RefuseIf(f.Bed.Format == "go" || f.Bed.Format == "csv", "stats", unlike)); err != nil {
		return err
	}
	if _, err := exec.LookPath("dot"); err != nil && f.watch.Graph.Drawn() {
		return f.Refuse("graph", "needs dot: install Graphviz, or name a file that does not end in .svg")
	}
	return nil
}

// startRanks replaces this process by mpirun, which runs the program --ranks times. It does nothing for one rank, or
// under mpirun.
func (f *Flags) startRanks() error {
	switch {
	case f.Ranks == 1 || mpi.Launched():
		return nil
	case !mpi.Built:
		return f.Refuse("ranks", mpi.Refusal(f.Ranks))
	}
	program, err := exec.LookPath(os.Args[0])
	if err != nil {
		return f.Refuse("ranks", err.Error())
	}
	mpirun, err := mpi.FindMpirun()
	if err == nil {
		err = sys.Exec(mpirun, mpi.Command(f.Ranks, append([]string{program}, os.Args[1:]...)...))
	}
	return f.Refuse("ranks", err.Error())
}

// makeSmall sets flags to the values of check mode, which is slow, unless the user has set them. It returns the flags
// that it has set. Sizes belong together: if the user has set one size, the others keep their defaults.
func (f *Flags) makeSmall() (set []string) {
	values := map[string]string{"samples": "1", "warmup": "0", "sample-time": "1us"}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(f.of.Small)), f.Changed) {
		maps.Copy(values, f.of.Small)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		flag := f.Lookup(name)
		if flag == nil || flag.Changed {
			continue
		}
		if err := flag.Value.Set(values[name]); err != nil {
			panic(fmt.Sprintf("--%s %s: %v", name, values[name], err)) // the command's table is wrong
		}
		set = append(set, "--"+name+" "+flag.Value.String())
	}
	return set
}
