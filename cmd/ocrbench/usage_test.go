package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/command"
	"ocr/internal/core/cpulist"
	"ocr/internal/proof/testrun"
)

// TestUsage checks testdata/usage: bad input ends with exit code 2 and one line, which names what the user wrote and
// what is allowed. In the file a command line is followed by ocrbench's message. A word may be quoted as in Go, and …
// stands for any text. $CPU is a processor that the process may use, $ALLOWED are all.
func TestUsage(t *testing.T) {
	defer goleak.VerifyNone(t)
	files, err := filepath.Glob("testdata/usage/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	mask := allowedCPUs(t)
	vars := strings.NewReplacer("$CPU", fmt.Sprint(mask[0]), "$ALLOWED", cpulist.Format(mask))
	for k, file := range files {
		files[k] = vars.Replace(testrun.Read(t, file))
	}
	t.Chdir(t.TempDir())
	for _, text := range files {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for k := 0; k+1 < len(lines); k += 2 {
			t.Run(lines[k], func(t *testing.T) { refused(t, lines[k], lines[k+1]) })
		}
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
		t.Errorf("files are left: %v, %v", entries, err)
	}
}

func refused(t *testing.T, line, want string) {
	args := words(t, line)
	if len(args) > 1 && args[1] == "c2c" {
		twoCPUs(t)
	}
	code, out, errs := call(t.Context(), args[1:]...)
	if code != command.ExitUsage || out != "" {
		t.Errorf("exit code %d and stdout %q, want 2 and nothing", code, out)
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta("ocrbench: "+strings.TrimPrefix(want, "\t")), "…", ".*")
	if !regexp.MustCompile("^" + pattern + "\n$").MatchString(errs) {
		t.Errorf("stderr is %q, want %q", errs, want)
	}
}

// words splits a line at blanks. A word that begins with a quotation mark is quoted as in Go.
func words(t *testing.T, line string) (list []string) {
	t.Helper()
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		word, rest, _ := strings.Cut(line, " ")
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			rest = line[len(quoted):]
			word, _ = strconv.Unquote(quoted) // no error: QuotedPrefix found it
		}
		list, line = append(list, word), rest
	}
	return list
}
