package command

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/internal/report"
	"ocr/internal/testbed"
)

func (s *Session) listCommand() *cobra.Command {
	return s.factCommand("list", "List the apps", func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
		for _, c := range s.Commands {
			fmt.Fprintf(t, "%s\t%s\n", c.Name, c.Short)
		}
		return t.Flush()
	}, func() any {
		type named struct {
			Name  string `json:"name"`
			Short string `json:"short"`
		}
		var all []named
		for _, c := range s.Commands {
			all = append(all, named{c.Name, c.Short})
		}
		return all
	})
}

// factCommand makes a command that prints a fact about this build, as text or as JSON.
func (s *Session) factCommand(name, short string, text func(io.Writer) error, facts func() any) *cobra.Command {
	cmd := &cobra.Command{Use: name, Short: short, Args: cli.NoArgs}
	f := s.FlagsOf(cmd)
	f.OutputFlags("text", "json")
	cmd.RunE = f.Run(func(_ context.Context, _ *testbed.Bed, out *testbed.Output) error {
		if f.Format == "text" {
			return out.Results.Stream(text)
		}
		return out.Results.Stream(func(w io.Writer) error { return report.WriteJSON(w, facts()) })
	})
	return cmd
}
