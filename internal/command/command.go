package command

import "github.com/spf13/cobra"

// A Command is a subcommand of a program.
type Command struct {
	Name  string
	Short string // a line, for lists and help
	// Small are flags of a short run, which --check has unless the user has set one of them; may be nil.
	Small map[string]string
	// Make makes the cobra command: its flags, and a RunE by [Flags.Run].
	Make func(s *Session) *cobra.Command
	// Rewrite changes the arguments before they are read; nil for as they are.
	Rewrite func(cmd *cobra.Command, args []string) []string
}

// About returns the command's name, and the line about it.
func (c *Command) About() (name, short string) { return c.Name, c.Short }

// tools are the commands that every program has beside its own, in the order in which help lists them.
var tools = []func(*Session) *cobra.Command{
	(*Session).newCommand,
	(*Session).compareCommand,
	(*Session).convertCommand,
	(*Session).reportCommand,
	(*Session).topoCommand,
	(*Session).listCommand,
	(*Session).versionCommand,
}
