package report

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// exact writes v so that it reads back as the same number.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Short writes v for people: four significant digits, more only where they stand
// before the point. What is not zero never reads as zero.
func Short(v float64) string {
	if v == 0 {
		return "0"
	}
	magnitude := int(math.Floor(math.Log10(math.Abs(v))))
	if magnitude < -6 || magnitude > 14 {
		return strconv.FormatFloat(v, 'e', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', max(3-magnitude, 0), 64)
}

// Plain writes what a user has given so that it stays on its line, short and readable.
func Plain(given string) string {
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
