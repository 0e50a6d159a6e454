package guid_test

import (
	"fmt"

	"ocr/guid"
)

// The two words of a GUID, or its text, can be turned back into the GUID.
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

// The short form, which errors and reports print, is the end of the text.
func ExampleGUID_Short() {
	g, _ := guid.Parse("26feaf24-0000-8100-8000-01b00000000d")
	fmt.Println(g.Short(), guid.Shorten("EDT "+g.String()))
	// Output: 1b00000000d EDT 1b00000000d
}

// The zero GUID is Null, which names no object.
func ExampleGUID() {
	var g guid.GUID
	fmt.Println(g == guid.Null, g.IsNull(), g)
	// Output: true true 00000000-0000-0000-0000-000000000000
}
