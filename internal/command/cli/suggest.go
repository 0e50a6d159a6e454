package cli

import (
	"errors"
	"strconv"
	"strings"
)

const (
	mostNearest = 3 // names that are suggested
	fewWords    = 8 // words that an error lists beside those that it suggests
)

// nearest returns the names that given may stand for: those at the least edit distance, if that is small. Letters that
// are missing at the end are one edit. A number stands for no name.
func nearest(given string, names []string) []string {
	bare := func(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }
	if _, err := strconv.Atoi(given); given == "" || err == nil {
		return nil
	}
	least, list := len(bare(given))/3+1, []string(nil)
	for _, name := range names {
		away := editDistance(bare(given), bare(name))
		if len(bare(given)) > 1 && strings.HasPrefix(bare(name), bare(given)) {
			away = min(away, 1)
		}
		if away < least {
			least, list = away, nil
		}
		if away == least && len(list) < mostNearest {
			list = append(list, name)
		}
	}
	return list
}

// didYouMean asks for the names that are nearest to given, as the part of an error; empty if none is near.
func didYouMean(given string, names []string) string {
	near := nearest(given, names)
	switch n := len(near); n {
	case 0:
		return ""
	case 1:
		return "did you mean " + near[0] + "? "
	default:
		return "did you mean " + strings.Join(near[:n-1], ", ") + " or " + near[n-1] + "? "
	}
}

// noneOf says that given is none of some words: it has the nearest ones, and the rule unless that lists many words.
func noneOf(given string, words []string, rule string) error {
	ask := didYouMean(given, words)
	if ask != "" && len(words) > fewWords {
		return errors.New(strings.TrimSuffix(ask, " "))
	}
	return errors.New(ask + rule)
}

// editDistance is the number of letters to insert, delete or change to make one word of the other.
func editDistance(one, two string) int {
	row := make([]int, len(two)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(one) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(two) {
			change := corner
			if one[i] != two[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, corner+1, row[j]+1)
		}
	}
	return row[len(two)]
}
