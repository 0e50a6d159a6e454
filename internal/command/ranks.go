package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/runtime"
)

// RankFlags are the flags of every command whose graphs may run over several processes: those of [Flags.WorkerFlags],
// for each of them.
func (f *Flags) RankFlags() {
	f.WorkerFlags()
	fs := f.Cmd.Flags()
	fs.Lookup("workers").Usage = "workers of each rank (default: the processors allowed, divided by the ranks)"
	cli.Twin(fs, "workers")
	fs.Var(cli.Whole(&f.Ranks, 1, runtime.MaxRanks), "ranks", "ranks: processes that a graph runs over, which the command starts; not with --check, --schedule, and what observes a run")
	cli.Twin(fs, "ranks")
}

// aloneWith are the flags that runs over several ranks cannot have.
var aloneWith = []string{"check", "schedule", "trace", "dot", "graph", "timeline", "stats"}

// applyRanks refuses flags that cannot be had together with --ranks.
func (f *Flags) applyRanks() error {
	if f.Ranks == 1 {
		return nil
	}
	for _, name := range aloneWith {
		if flag := f.Cmd.Flags().Lookup(name); flag != nil && f.Line.Given(flag) && flag.Value.String() != "false" {
			return cli.Usagef("%s: cannot be had together with %s %d", f.Line.Source(f.Cmd, name), f.Line.Source(f.Cmd, "ranks"), f.Ranks)
		}
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
			cmd.Flags().Var(cli.New(new(int), "N", func(string) (int, error) {
				return 0, fmt.Errorf("%s runs in one process; commands that run over ranks: %s", cmd.Name(), strings.Join(over, ", "))
			}, func(int) string { return "" }), "ranks", "")
			cmd.Flags().Lookup("ranks").Hidden = true
		}
	}
}
