package dot

import "testing"

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":              `""`,
		"sweep":         `"sweep"`,
		`a "b" \n`:      `"a \"b\" \\n"`,
		"two\nlines":    `"two\nlines"`,
		"bell\a, \x7f":  `"bell?, ?"`,
		"größer, <b>&;": `"größer, <b>&;"`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
