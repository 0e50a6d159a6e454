package command

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/command/cli"
	"ocr/internal/show/report"
)

// A Group is a heading that help lists commands under.
type Group string

// Groups of commands, in the order of help.
const (
	Apps    Group = "Apps"
	Seeds   Group = "The three seeds: grids, cache lines, puts and gets"
	Study   Group = "What the runtime costs"
	Results Group = "Results"
	Own     Group = "An app of your own, and this machine"
)

var groups = []Group{Apps, Seeds, Study, Results, Own}

// flagGroups are the headings of flags, in the order of help, and the flags below each. Below the first, which is the
// problem, are those that are below no other.
var flagGroups = []struct{ title, label, names string }{
	{"The problem", "problem", ""},
	{"What is measured", "measure",
		"forms baseline peers polls iters max-run no-floor samples warmup sample-time seed no-verify"},
	{"Output", "output", "format output verbose wide quiet svg"},
	{"Runtime", "runtime", "workers cpus bind place ranks schedule"},
	{"Looking", "looking",
		"stats graph graph-limit trace check watchdog dump log log-format"},
}

// common annotates a flag that help of a command only names, as it is explained by "help flags".
const common = "ocrbench_common"

// common marks flags that many commands have.
func (f *Flags) common(names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		flag.Annotations[common] = nil
	}
}

// usage writes what help says below the description of a command: the program's groups of commands, or the groups of
// its flags.
func (s *Session) usage(cmd *cobra.Command) error {
	w := cmd.OutOrStdout()
	fmt.Fprintf(w, "Usage: %s\n", cmd.UseLine())
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	subs := cmd.Commands()
	for _, g := range append(cmd.Groups(), &cobra.Group{Title: "Commands"}) {
		for k, sub := range slices.DeleteFunc(slices.Clone(subs), func(c *cobra.Command) bool { return c.GroupID != g.ID }) {
			if k == 0 {
				fmt.Fprintf(w, "\n%s:\n", g.Title)
			}
			fmt.Fprintf(w, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
		}
	}
	writeFlags(cmd, func(format string, args ...any) { fmt.Fprintf(w, format, args...) })
	if len(cmd.Groups()) > 0 {
		fmt.Fprintf(w, "\n%s COMMAND --help explains a command, %s help flags the flags that most have.\n", s.Name, s.Name)
	}
	return nil
}

// writeFlags writes the flags of a command in their groups: usages of its own, names of the common ones.
func writeFlags(cmd *cobra.Command, printf func(format string, args ...any)) {
	var shared bytes.Buffer
	measures := cmd.Flags().Lookup("samples") != nil
	for k, group := range flagGroups {
		own, named := pflag.NewFlagSet("", pflag.ContinueOnError), []string(nil)
		own.SortFlags = false
		cmd.Flags().SortFlags = false
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			_, isCommon := flag.Annotations[common]
			switch {
			case flag.Hidden || flag.Name == "help" || groupOf(flag.Name) != k:
			case isCommon && cmd.Name() != commonFlags:
				named = append(named, "--"+flag.Name)
			default:
				own.AddFlag(flag)
			}
		})
		title := group.title
		if !measures && k == 0 {
			title = "Flags"
		}
		if own.HasFlags() {
			printf("\n%s:\n%s", title, own.FlagUsagesWrapped(report.Width))
		}
		if len(named) > 0 {
			report.Labelled(&shared, report.Width, group.label, strings.Join(named, " "))
		}
	}
	if shared.Len() > 0 {
		printf("\nCommon flags, see %s help %s:\n%s", cmd.Root().Name(), commonFlags, shared.Bytes())
	}
}

// groupOf returns the index of a flag's group.
func groupOf(name string) int {
	for k, group := range flagGroups {
		if slices.Contains(strings.Fields(group.names), name) {
			return k
		}
	}
	return 0
}

// commonFlags is the topic of help that explains them.
const commonFlags = "flags"

// explainFlags writes what help says of the flags that most commands have.
func (s *Session) explainFlags(root *cobra.Command) error {
	about := &cobra.Command{
		Use:  commonFlags,
		Long: `Flags that most commands have. Defaults of a command may differ: its help says so.`,
	}
	f := s.FlagsOf(about)
	f.RankFlags()
	f.SampleFlags()
	f.DocumentFlags()
	f.ObserveFlags()
	f.RunFlags(Aptness{})
	root.Printf("%s\n", about.Long)
	writeFlags(about, root.Printf)
	return nil
}

func (s *Session) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND | " + commonFlags + "]",
		Short:             "Explain a command, or the flags that most have",
		ValidArgsFunction: cli.CompleteCommands(root),
		RunE: func(_ *cobra.Command, args []string) error {
			if slices.Equal(args, []string{commonFlags}) {
				return s.explainFlags(root)
			}
			about, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("help: %w", cli.UnknownCommand(root, strings.Join(args, " ")))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}
