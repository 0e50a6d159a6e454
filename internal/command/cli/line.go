package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/show/report"
)

// Line is one command line with its environment.
type Line struct {
	Args      []string // as given, the program's name first
	LookupEnv func(string) (string, bool)

	Env     []string // NAME=VALUE of the variables that have set a flag
	Ignored []string // warnings of variables that have not
}

// envKey annotates a flag with the name of its environment twin.
const envKey = "ocrbench_env"

// Twin gives flags of fs their environment twins: OCRBENCH_ and the long name. The variable is the flag's default. It
// is called again after a flag's usage has changed.
func Twin(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := fs.Lookup(name)
		env := envName(name)
		flag.Annotations = map[string][]string{envKey: {env}}
		flag.Usage += " [" + env + "]"
	}
}

func envName(flag string) string {
	return "OCRBENCH_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// Alias gives a flag that has a twin a second name, and a second twin, which help does not show.
func Alias(fs *pflag.FlagSet, name, alias string) {
	flag := fs.Lookup(name)
	flag.Annotations[envKey] = append(flag.Annotations[envKey], envName(alias))
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, given string) pflag.NormalizedName {
		if given == alias {
			given = name
		}
		return pflag.NormalizedName(given)
	})
}

// variable returns the environment twin of a flag and its value, "" if it is not set.
func (l *Line) variable(flag *pflag.Flag) (name, value string) {
	for _, name = range flag.Annotations[envKey] {
		if value, _ = l.LookupEnv(name); value != "" {
			break
		}
	}
	return name, value
}

// ApplyEnv sets the flags that were not given from their environment twins. One environment serves all commands: a
// value that fits another command only is ignored, with a line in l.Ignored.
func (l *Line) ApplyEnv(cmd *cobra.Command) error {
	var bad error
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		name, value := l.variable(flag)
		if bad != nil || value == "" || flag.Changed {
			return
		}
		err := flag.Value.Set(value)
		switch {
		case err == nil:
			l.Env = append(l.Env, name+"="+value)
		case fitsAnother(cmd, flag.Name, value):
			l.Ignored = append(l.Ignored, fmt.Sprintf("%v, so it is not used", badValue(name, value, flag, err)))
		default:
			bad = badValue(name, value, flag, err)
		}
	})
	return bad
}

// fitsAnother reports whether a value fits the flag of that name of another command.
func fitsAnother(cmd *cobra.Command, name, value string) bool {
	return slices.ContainsFunc(cmd.Root().Commands(), func(other *cobra.Command) bool {
		flag := other.Flags().Lookup(name)
		return other != cmd && flag != nil && !flag.Hidden && flag.Value.Set(value) == nil
	})
}

// Given reports whether the user has set a flag, on the command line or in the environment.
func (l *Line) Given(flag *pflag.Flag) bool {
	name, value := l.variable(flag)
	return flag.Changed || slices.Contains(l.Env, name+"="+value)
}

// Source names the source of a flag's value, for an error about it: the flag as the user wrote it, or the variable that
// has set it.
func (l *Line) Source(cmd *cobra.Command, name string) string {
	flag := cmd.Flags().Lookup(name)
	if flag == nil {
		return "--" + name
	}
	if !flag.Changed && l.Given(flag) {
		variable, _ := l.variable(flag)
		return variable
	}
	return l.spell(flag)
}

// Refuse says that the value of a flag cannot be, and why.
func (l *Line) Refuse(cmd *cobra.Command, name, value, why string) error {
	return Usagef("%s %s: %s", l.Source(cmd, name), report.Plain(value), why)
}

// spell returns a flag's name as the user wrote it: its letter if only that was written.
func (l *Line) spell(flag *pflag.Flag) string {
	long, letter := "--"+flag.Name, "-"+flag.Shorthand
	short := func(arg string) bool { return flag.Shorthand != "" && strings.HasPrefix(arg, letter) }
	written := func(arg string) bool { return arg == long || strings.HasPrefix(arg, long+"=") }
	if slices.ContainsFunc(l.Args, short) && !slices.ContainsFunc(l.Args, written) {
		return letter
	}
	return long
}
