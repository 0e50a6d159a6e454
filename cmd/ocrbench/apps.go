package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// app is one program of the runtime that the command can run.
type app struct {
	name  string
	short string
	// command makes the app's subcommand: its flags and what to run. Its RunE
	// returns a usage error for bad input and calls session.measure, or
	// session.begin and the runtime itself.
	command func(s *session) *cobra.Command
}

// apps are the apps of this build, in the order in which they are listed.
var apps = []app{synchP2P, c2c, pgas, overhead, taskbench, metgApp, hello}

func (s *session) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the apps",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			s.begin()
			t := tabwriter.NewWriter(s.stdio.out, 0, 0, 3, ' ', 0)
			for _, a := range apps {
				fmt.Fprintf(t, "%s\t%s\n", a.name, a.short)
			}
			return t.Flush()
		},
	}
}
