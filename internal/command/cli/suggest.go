package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
)

const (
	mostNear  = 3 // names that are suggested; more are no suggestion
	mostWords = 8 // words that an error lists beside those that it suggests
)

// didYouMean asks for the names that cobra finds near to given, as the part of an error; empty if none is near.
func didYouMean(given string, names []string) string {
	among := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, name := range names {
		among.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	near := among.SuggestionsFor(given)
	if given == "" || len(near) == 0 || len(near) > mostNear {
		return ""
	}
	return "did you mean " + strings.Join(near, " or ") + "? "
}

// noneOf says that given is none of some words: it has the nearest ones, and the rule unless that lists many words.
func noneOf(given string, words []string, rule string) error {
	ask := didYouMean(given, words)
	if ask != "" && len(words) > mostWords {
		return errors.New(strings.TrimSuffix(ask, " "))
	}
	return errors.New(ask + rule)
}
