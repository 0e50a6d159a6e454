package report

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Short writes v for people: four significant digits, or all before the point; below 1e-6 and from 1e15 on, with an
// exponent. Only zero is written as zero.
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

// Plain writes a user's input so that it stays on one line, short and readable.
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
