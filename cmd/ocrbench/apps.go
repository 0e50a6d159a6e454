package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/internal/harness"
	"ocr/internal/report"
)

// app is one program of the runtime that the command can run.
type app struct {
	name  string
	short string
	// small are flags of a short run, which --check has unless the user says otherwise; may be nil.
	small map[string]string
	// command makes the app's subcommand: its flags, and a RunE by commonFlags.run.
	command func(s *session) *cobra.Command
}

// apps are the apps of this build, in the order in which they are listed.
var apps = append([]app{synchP2PApp, c2cApp, pgasApp, overheadApp, taskbenchApp, metgApp, helloApp}, galleryApps...)

func (s *session) listCommand() *cobra.Command {
	return s.factCommand("list", "List the apps", func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		for _, a := range apps {
			fmt.Fprintf(t, "%s\t%s\n", a.name, a.short)
		}
		return t.Flush()
	}, func() any {
		type named struct {
			Name  string `json:"name"`
			Short string `json:"short"`
		}
		var all []named
		for _, a := range apps {
			all = append(all, named{a.name, a.short})
		}
		return all
	})
}

// factCommand makes a command that prints a fact about this build, as text or as JSON.
func (s *session) factCommand(name, short string, text func(io.Writer) error, facts func() any) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: cli.NoArgs}
	f := s.flagsOf(cmd)
	f.outputFlags("text", "json")
	cmd.RunE = f.run(func(_ context.Context, _ *harness.Testbed, out *harness.Output) error {
		if f.format == "text" {
			return out.Results.Stream(text)
		}
		return out.Results.Stream(func(w io.Writer) error { return report.WriteJSON(w, facts()) })
	})
	return cmd
}
