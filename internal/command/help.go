package command

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/show/report"
)

// usage writes the part of a command's help below its description: its own flags, and the names of the common flags.
func (f *Flags) usage(cmd *cobra.Command) error {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "Usage: %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	own, common := pflag.NewFlagSet("", pflag.ContinueOnError), ""
	own.SortFlags, f.SortFlags = false, false
	f.VisitAll(func(flag *pflag.Flag) {
		switch {
		case flag.Hidden || flag.Name == "help":
		case f.common.Lookup(flag.Name) == flag:
			common += " --" + flag.Name
		default:
			own.AddFlag(flag)
		}
	})
	if own.HasFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", own.FlagUsagesWrapped(report.Width))
	}
	if common != "" {
		fmt.Fprintf(w, "\nCommon flags, see %s help flags:\n", f.Program.Name)
		var b bytes.Buffer
		report.Labelled(&b, report.Width, "", common)
		_, _ = w.Write(b.Bytes()) // the session keeps the error of standard output
	}
	return nil
}

// flagsTopic is a topic of help, which explains the flags that most commands have.
func (s *Session) flagsTopic() *cobra.Command {
	topic := &cobra.Command{Use: "flags", Short: "Flags that most commands have"}
	f := s.NewFlags(&Command{Has: ^Has(0)}, topic)
	f.AddCommon()
	topic.SetHelpFunc(func(*cobra.Command, []string) {
		fmt.Fprintf(s.Out, "Flags that most commands have. Defaults of a command may differ: its help says so.\n\n%s",
			f.common.FlagUsagesWrapped(report.Width))
	})
	return topic
}
