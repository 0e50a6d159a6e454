package guid_test

import (
	"fmt"

	"ocr/guid"
)

// A GUID is two words, and text for logs; both lead back to it.
func ExampleFromWords() {
	g, err := guid.Parse("26feaf24-5322-8100-8000-01b00000000d")
	hi, lo := g.Words()
	fmt.Println(guid.FromWords(hi, lo) == g, g.Kind(), err)
	_, err = guid.Parse("26feaf24")
	fmt.Println(err)
	// Output:
	// true EDT <nil>
	// guid: parse "26feaf24": want 36 characters such as 00000000-0000-0000-0000-000000000000
}

// The short form, as errors and reports have it, is the end of the whole.
func ExampleGUID_Short() {
	g, _ := guid.Parse("26feaf24-0000-8100-8000-01b00000000d")
	fmt.Println(g.Short(), guid.Shorten("EDT "+g.String()))
	// Output: 1b00000000d EDT 1b00000000d
}

// Null names nothing: the zero GUID.
func ExampleGUID() {
	var g guid.GUID
	fmt.Println(g == guid.Null, g.IsNull(), g)
	// Output: true true 00000000-0000-0000-0000-000000000000
}
