package testrun

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A Faulty declaration is one with which no run begins. Want is in the error.
type Faulty = struct {
	Declare func()
	Want    string
}

// FaultyDeclarations makes each declaration in a process of its own, which then calls run. The error of
// that must say what is wanted, and name a line of file. The test that calls it is named test.
func FaultyDeclarations(t *testing.T, test, file string, all map[string]Faulty, run func() error) {
	const variable = "OCR_TEST_FAULT"
	if name := os.Getenv(variable); name != "" {
		all[name].Declare()
		fmt.Println(run())
		return
	}
	for name, f := range all {
		t.Run(name, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+test+"$")
			child.Env = append(os.Environ(), variable+"="+name)
			out, err := child.Output()
			line, _, _ := strings.Cut(string(out), "\n")
			if err != nil || !strings.Contains(line, f.Want) || !strings.Contains(line, "("+file+":") {
				t.Errorf("%v, %s\nwant %q and the line", err, out, f.Want)
			}
		})
	}
}
