package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is bad input: exit code 2 and one line that names what was given
// and what is allowed.
type usageError struct{ line string }

func (e *usageError) Error() string { return e.line }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// flagError turns what pflag finds wrong into one line that names the flag as
// the user wrote it, its value, and what is allowed.
func (s *session) flagError(cmd *cobra.Command, err error) error {
	var (
		invalid *pflag.InvalidValueError
		missing *pflag.ValueRequiredError
		unknown *pflag.NotExistError
		syntax  *pflag.InvalidSyntaxError
	)
	see := "see " + cmd.CommandPath() + " --help"
	switch {
	case errors.As(err, &invalid):
		return badValue(s.spelling(invalid.GetFlag()), invalid.GetValue(), invalid.GetFlag(), invalid.Unwrap())
	case errors.As(err, &missing):
		return usagef("%s: needs a value: %s", s.spelling(missing.GetFlag()), missing.GetFlag().Usage)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		name, _ := utf8.DecodeRuneInString(unknown.GetSpecifiedName())
		return usagef("unknown flag -%c in %s: %s", name, plain("-"+unknown.GetSpecifiedShortnames()), see)
	case errors.As(err, &unknown):
		return usagef("unknown flag %s: %s", plain("--"+unknown.GetSpecifiedName()), see)
	case errors.As(err, &syntax):
		return usagef("%s: is not a flag: %s", plain(syntax.GetSpecifiedFlag()), see)
	}
	return usagef("%v: %s", err, see)
}

// badValue says that given does not fit the flag. what names the flag or the
// environment variable that it came from.
func badValue(what, given string, flag *pflag.Flag, cause error) error {
	if flag.Value.Type() == "bool" {
		cause = errors.New("must be true or false")
	}
	return usagef("%s %s: %v", what, plain(given), cause)
}

// spelling returns the flag's name as the user wrote it.
func (s *session) spelling(flag *pflag.Flag) string { return s.spell(flag.Name, flag.Shorthand) }

// spell returns the long name of a flag where the user wrote that, else its letter.
func (s *session) spell(name, letter string) string {
	for _, arg := range s.args {
		if arg == "--"+name || strings.HasPrefix(arg, "--"+name+"=") {
			return "--" + name
		}
	}
	return "-" + letter
}

// plain writes user input so that it stays on the line, short and readable.
func plain(given string) string {
	const longest = 60
	if utf8.RuneCountInString(given) > longest {
		given = string([]rune(given)[:longest]) + "..."
	}
	quoted := strconv.Quote(given)
	if given == "" || strings.ContainsAny(given, " '") || quoted != `"`+given+`"` {
		return quoted
	}
	return given
}
