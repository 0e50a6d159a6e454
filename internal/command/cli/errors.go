package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// rules say what flags of pflag's own types allow.
var rules = map[string]string{
	"bool": "must be true or false", "int": "must be a whole number", "float64": "must be a number",
	"uint64": "must be a whole number in 0..18446744073709551615",
}

// FlagError turns pflag's error about a command line into one line that names the flag, its value, and what is
// allowed.
func FlagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	var names []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, "--"+flag.Name) })
	see := "see " + cmd.CommandPath() + " --help"
	switch {
	case errors.As(err, &invalid):
		flag := invalid.GetFlag()
		rule := cmp.Or(rules[flag.Value.Type()], invalid.Unwrap().Error())
		return Usagef("--%s %s: %s", flag.Name, report.Plain(invalid.GetValue()), rule)
	case errors.As(err, &missing):
		return Usagef("--%s: needs a value: %s", missing.GetFlag().Name, missing.GetFlag().Usage)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		letter, given := unknown.GetSpecifiedName(), unknown.GetSpecifiedShortnames()
		if given == letter {
			return Usagef("unknown flag %s: %s", report.Plain("-"+given), see)
		}
		return Usagef("unknown flag -%s in %s: %s%s", letter, report.Plain("-"+given), didYouMean("--"+given, names), see)
	case errors.As(err, &unknown):
		given := "--" + unknown.GetSpecifiedName()
		return Usagef("unknown flag %s: %s%s", report.Plain(given), didYouMean(given, names), see)
	}
	return Usagef("%v: %s", err, see)
}

// Unknown returns the error that a word is not among the names of a kind. The text more says what else is allowed.
func Unknown(kind, given string, names []string, more string) error {
	rule := "must be one of " + strings.Join(names, ", ") + more
	return Usagef("unknown %s %s: %v", kind, report.Plain(given), noneOf(given, names, rule))
}

// Known returns a check that arguments are among these names, each at most once.
func Known(kind string, names []string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		for k, name := range args {
			switch {
			case !slices.Contains(names, name):
				return Unknown(kind, name, names, "")
			case slices.Contains(args[:k], name):
				return Usagef("%s %s is there twice: must be there once", kind, name)
			}
		}
		return nil
	}
}

// noneOf returns the error that a text is none of these words. The error names the words near to the text, and then the
// rule. It leaves out the rule if there are near words and many words in all.
func noneOf(given string, words []string, rule string) error {
	const many = 8
	ask := didYouMean(given, words)
	if ask != "" && len(words) > many {
		return errors.New(strings.TrimSuffix(ask, " "))
	}
	return errors.New(ask + rule)
}

// didYouMean returns a question, as a part of an error: whether the user meant the text itself, if it is a name, else
// one of the names that cobra finds near to it. It returns "" if no name is near, or more than three.
func didYouMean(given string, names []string) string {
	const most = 3 // more are no suggestion
	among := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range names {
		among.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	near := among.SuggestionsFor(given)
	if slices.Contains(names, given) {
		near = []string{given}
	}
	if given == "" || len(near) == 0 || len(near) > most {
		return ""
	}
	return "did you mean " + strings.Join(near, " or ") + "? "
}
