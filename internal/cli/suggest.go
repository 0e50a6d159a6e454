package cli

import "strings"

// didYouMean names the one of names that given is closest to, as the part of an error
// that asks; empty if none is close.
func didYouMean(given string, names []string) string {
	bare := func(name string) string { return strings.ToLower(strings.TrimLeft(name, "-")) }
	least, closest := len(bare(given))/3+2, ""
	for _, name := range names {
		if d := editDistance(bare(given), bare(name)); d < least {
			least, closest = d, name
		}
	}
	if closest == "" {
		return ""
	}
	return "did you mean " + closest + "? "
}

// editDistance is how many letters must be put in, left out or changed to make one word
// of the other.
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
