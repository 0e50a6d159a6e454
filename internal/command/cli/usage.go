package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/show/report"
)

// UsageError is bad input: one line that names what was given and what is allowed.
type UsageError struct{ line string }

func (e *UsageError) Error() string { return e.line }

// Usagef returns a [*UsageError].
func Usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// FlagError turns an error of pflag into one line that names the flag as the user wrote it, its value, and what is
// allowed.
func (l Line) FlagError(cmd *cobra.Command, err error) error {
	var (
		invalid *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
		unknown *pflag.NotExistError
		syntax  *pflag.InvalidSyntaxError
	)
	see := "see " + cmd.CommandPath() + " --help"
	switch {
	case errors.As(err, &invalid):
		return badValue(l.spell(invalid.GetFlag()), invalid.GetValue(), invalid.GetFlag(), invalid.Unwrap())
	case errors.As(err, &missing):
		return Usagef("%s: needs a value: %s", l.spell(missing.GetFlag()), missing.GetFlag().Usage)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		name, _ := utf8.DecodeRuneInString(unknown.GetSpecifiedName())
		return Usagef("unknown flag -%c in %s: %s", name, report.Plain("-"+unknown.GetSpecifiedShortnames()), see)
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return Usagef("unknown flag %s: %s%s", report.Plain("--"+name), didYouMean("--"+name, flagNames(cmd)), see)
	case errors.As(err, &syntax):
		return Usagef("%s: is not a flag: %s", report.Plain(syntax.GetSpecifiedFlag()), see)
	}
	return Usagef("%v: %s", err, see)
}

// badValue says that given does not fit the flag, which the user has written as what.
func badValue(what, given string, flag *pflag.Flag, cause error) error {
	switch {
	case flag.Value.Type() == "bool":
		cause = errors.New("must be true or false")
	case given == flag.NoOptDefVal && given != "": // the user gave no value
		return Usagef("%s: %v", what, cause)
	}
	return Usagef("%s %s: %v", what, report.Plain(given), cause)
}

// Refuse hides a flag and has it refuse every value, with a reason.
func Refuse(flag *pflag.Flag, why string) {
	flag.Value = New(new(string), "", func(string) (string, error) { return "", errors.New(why) }, nil)
	flag.Hidden, flag.DefValue = true, ""
}

// flagNames returns the long names of the flags that help shows, after two dashes.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			names = append(names, "--"+flag.Name)
		}
	})
	return names
}

// UnknownCommand says that there is no such command below parent.
func UnknownCommand(parent *cobra.Command, given string) error {
	return Unknown("command", given, CommandNames(parent), "")
}

// Unknown says that given is none of some names, of what is called kind; more is what else is allowed.
func Unknown(kind, given string, names []string, more string) error {
	rule := "must be one of " + strings.Join(names, ", ") + more
	return Usagef("unknown %s %s: %v", kind, report.Plain(given), noneOf(given, names, rule))
}

// CommandNames returns the commands below parent that help shows.
func CommandNames(parent *cobra.Command) []string {
	var names []string
	for _, cmd := range parent.Commands() {
		if !cmd.Hidden {
			names = append(names, cmd.Name())
		}
	}
	return names
}

// NoArgs refuses positional arguments.
func NoArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %s: this command takes flags only", report.Plain(args[0]))
	}
	return nil
}
