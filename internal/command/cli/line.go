package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/show/report"
)

// Line is one command line as given, the program's name first.
type Line []string

// Alias gives a flag a second name, which help does not show.
func Alias(fs *pflag.FlagSet, name, alias string) {
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == alias {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}

// Refuse says that the value of a flag cannot be, and why.
func (l Line) Refuse(cmd *cobra.Command, name, value, why string) error {
	return Usagef("%s %s: %s", l.Spelled(cmd, name), report.Plain(value), why)
}

// Spelled returns a flag's name as the user wrote it: its letter if only that was written.
func (l Line) Spelled(cmd *cobra.Command, name string) string {
	if flag := cmd.Flags().Lookup(name); flag != nil {
		return l.spell(flag)
	}
	return "--" + name
}

func (l Line) spell(flag *pflag.Flag) string {
	long, letter := "--"+flag.Name, "-"+flag.Shorthand
	short := func(arg string) bool { return flag.Shorthand != "" && strings.HasPrefix(arg, letter) }
	written := func(arg string) bool { return arg == long || strings.HasPrefix(arg, long+"=") }
	if slices.ContainsFunc(l, short) && !slices.ContainsFunc(l, written) {
		return letter
	}
	return long
}
