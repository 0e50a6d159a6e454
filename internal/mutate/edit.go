package main

import (
	"fmt"
	"slices"
	"strings"
)

// An edit is one fault: a stretch of one file replaced by another text.
type edit struct {
	file       *file
	start, end int // bytes of the file
	text       string

	kind     kind
	function string
	line     int
	what     string // the edit in words
}

// apply returns the edited file. Lines behind the edit keep their numbers, so that
// failures name the right ones.
func (e *edit) apply() []byte {
	old, text := string(e.file.text[e.start:e.end]), e.text
	if lost := strings.Count(old, "\n") - strings.Count(text, "\n"); lost > 0 {
		text += strings.Repeat("\n", lost)
	}
	return slices.Concat(e.file.text[:e.start], []byte(text), e.file.text[e.end:])
}

func (e *edit) String() string {
	return fmt.Sprintf("%s:%d  %s  %s", e.file.name, e.line, e.function, e.what)
}

// brief is text on one line of at most 60 characters.
func brief(text string) string {
	one := []rune(strings.Join(strings.Fields(text), " "))
	if len(one) > 60 {
		one = append(one[:57], []rune("...")...)
	}
	return string(one)
}
