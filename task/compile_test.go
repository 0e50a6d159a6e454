package task_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestMistakesDoNotCompile: every line of testdata/wrong that says so is an error, with the
// message that it says, and no other line is.
func TestMistakesDoNotCompile(t *testing.T) {
	const file = "testdata/wrong/wrong.go"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	for n, line := range strings.Split(string(source), "\n") {
		if _, message, ok := strings.Cut(line, `// ERROR "`); ok {
			want[strconv.Itoa(n+1)] = strings.TrimSuffix(strings.TrimSpace(message), `"`)
		}
	}
	if len(want) < 20 {
		t.Fatalf("%d mistakes in %s", len(want), file)
	}
	out, err := exec.Command("go", "build", "-gcflags=-e", "./testdata/wrong").CombinedOutput()
	if err == nil {
		t.Fatal("testdata/wrong compiles")
	}
	for _, m := range regexp.MustCompile(`(?m)^\S*wrong\.go:(\d+):\d+: (.*)$`).FindAllStringSubmatch(string(out), -1) {
		line, message := m[1], m[2]
		switch expected, ok := want[line]; {
		case !ok:
			t.Errorf("line %s: %s", line, message)
		case !strings.Contains(message, expected):
			t.Errorf("line %s: the compiler says\n%s\nwant\n%s", line, message, expected)
		}
		delete(want, line)
	}
	for line, message := range want {
		t.Errorf("line %s compiles; want: %s\n%s", line, message, out)
	}
}
