package testrun

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Mistakes checks that a package of one file does not compile. The compiler must report an error in every line with an
// ERROR comment, with the message in the comment, and in no other line. The file has the directory's name.
func Mistakes(t *testing.T, dir string, atLeast int) {
	t.Helper()
	file := filepath.Join(dir, filepath.Base(dir)+".go")
	want := make(map[string]string)
	for n, line := range strings.Split(Read(t, file), "\n") {
		if _, message, ok := strings.Cut(line, `// ERROR "`); ok {
			want[strconv.Itoa(n+1)] = strings.TrimSuffix(strings.TrimSpace(message), `"`)
		}
	}
	if len(want) < atLeast {
		t.Fatalf("%d mistakes in %s", len(want), file)
	}
	out, err := exec.Command("go", "build", "-gcflags=-e", "./"+dir).CombinedOutput()
	if err == nil {
		t.Fatalf("%s compiles", dir)
	}
	for _, m := range regexp.MustCompile(`(?m)^\S*`+filepath.Base(file)+
		`:(\d+):\d+: (.*)$`).FindAllStringSubmatch(string(out), -1) {
		line, message := m[1], m[2]
		switch expected, ok := want[line]; {
		case !ok:
			t.Errorf("line %s: %s", line, message)
		case expected == "" || !strings.Contains(message, expected):
			t.Errorf("line %s: the compiler says\n%s\nwant\n%s", line, message, expected)
		}
		delete(want, line)
	}
	for line, message := range want {
		t.Errorf("line %s compiles; want: %s\n%s", line, message, out)
	}
}
