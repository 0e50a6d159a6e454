package main

import (
	"os"
	"strings"
	"testing"
)

func Example() {
	main()
	// Output: hello, world (parameter 7)
}

// The README shows this very program.
func TestReadmeShowsThisProgram(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(source), "package main\n")
	if !strings.Contains(string(readme), "package main\n"+program) {
		t.Error("README.md does not contain cmd/first/main.go from its package clause on")
	}
}
