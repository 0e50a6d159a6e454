package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Complete has the shell complete the flags of all commands below root: their words, and lists of words part by part.
// It does so only if args are those of a shell that asks: cobra keeps each flag that can be completed, and all that it
// reaches, until the process ends, and a test process makes the commands some hundred times.
func Complete(root *cobra.Command, args []string) {
	asks := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if len(args) < 2 || !slices.Contains(asks, args[1]) {
		return
	}
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			if v, ok := flag.Value.(interface{ Complete(typed string) []string }); ok && len(v.Complete("")) > 0 {
				_ = cmd.RegisterFlagCompletionFunc(flag.Name, completeFlag(v.Complete)) // it has none yet
			}
		})
	}
}

func completeFlag(offers func(typed string) []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		list := offers(typed)
		directive := cobra.ShellCompDirectiveNoFileComp
		if strings.Contains(typed, ",") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return list, directive
	}
}

// CompleteCommands completes the names of commands below root.
func CompleteCommands(root *cobra.Command) cobra.CompletionFunc {
	return func(_ *cobra.Command, given []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(given) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return CommandNames(root), cobra.ShellCompDirectiveNoFileComp
	}
}
