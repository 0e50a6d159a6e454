package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/internal/rank/mpi"
	"ocr/runtime"
)

// RankFlags are the flags of every command whose graphs may run over several processes: those of [Flags.WorkerFlags],
// for each of them.
func (f *Flags) RankFlags() {
	f.WorkerFlags()
	fs := f.Cmd.Flags()
	fs.Lookup("workers").Usage = "workers of each rank (default: the processors allowed, divided by the ranks)"
	cli.Twin(fs, "workers")
	f.ProcessFlags("ranks: processes that a graph runs over, which the command starts, or mpirun has; not with --schedule")
}

// ProcessFlags are those of RankFlags that say what the ranks are; usage is that of --ranks.
func (f *Flags) ProcessFlags(usage string) {
	fs := f.Cmd.Flags()
	f.Ranks = mpi.Ranks()
	fs.Var(cli.Whole(&f.Ranks, 1, runtime.MaxRanks), "ranks", usage)
	cli.Twin(fs, "ranks")
	fs.Var(cli.Choice(&f.engine, engineAuto, engineMPI), "engine", "what carries messages between ranks: auto: rings in shared memory, and MPI from machine to machine; mpi: MPI for all")
}

// The values of --engine.
const (
	engineAuto = "auto"
	engineMPI  = "mpi"
)

// applyRanks resolves --engine, and refuses the flag that cannot be had together with --ranks: an order is one of EDTs of one process.
func (f *Flags) applyRanks() error {
	if f.engine == engineMPI {
		if err := mpi.Force(); err != nil {
			return f.Line.Refuse(f.Cmd, "engine", f.engine, strings.TrimPrefix(err.Error(), "mpi: "))
		}
	}
	if f.Ranks == 1 {
		return nil
	}
	const alone = "schedule"
	if flag := f.Cmd.Flags().Lookup(alone); flag != nil && f.Line.Given(flag) {
		return cli.Usagef("%s: cannot be had together with %s %d", f.Line.Source(f.Cmd, alone), f.Line.Source(f.Cmd, "ranks"), f.Ranks)
	}
	return nil
}

// refuseRanks has the commands below root that lack --ranks refuse it, with those that have it.
func refuseRanks(root *cobra.Command) {
	var over []string
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("ranks") != nil {
			over = append(over, cmd.Name())
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("ranks") == nil && len(over) > 0 {
			alone := fmt.Errorf("%s runs in one process; commands that run over ranks: %s", cmd.Name(), strings.Join(over, ", "))
			cmd.Flags().Var(cli.New(new(int), "N", func(string) (int, error) { return 0, alone }, func(int) string { return "" }), "ranks", "")
			cmd.Flags().Lookup("ranks").Hidden = true
			if mpi.Ranks() > 1 {
				cmd.RunE = func(*cobra.Command, []string) error {
					return cli.Usagef("mpirun has started %d processes: %v", mpi.Ranks(), alone)
				}
			}
		}
	}
}
