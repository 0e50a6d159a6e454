package testrun

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A Faulty declaration is one after which no run begins. The run's error contains Want.
type Faulty = struct {
	Declare func()
	Want    string
}

// FaultyDeclarations makes each declaration in a process of its own, which then calls run. The error of run must
// contain Want, and the number of a line in file. test is the name of the calling test.
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
