//go:build explore

package breaks

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// A broken protocol has a small edit, which a test of the protocol must find.
type broken struct {
	name     string
	file     string // from the root of the module
	old, new string // in one function of the file
	test     string // what follows Test, or TestExplored, in the name of the test
	in       string // the package of the test, "" for the file's
	often    bool   // .ci/run runs it too
	large    bool   // it takes the exploration at full size
}

// of completes breaks: those that name no file are edits of this file, and those that name no test are found by this
// test. pack is the package of the tests of the file's breaks, "" for the file's.
func of(file, pack, test string, list []broken) []broken {
	for k := range list {
		b := &list[k]
		if b.file == "" {
			b.file, b.in = file, pack
		}
		b.test = cmp.Or(b.test, test)
	}
	return list
}

// pack is the package of the test.
func (b *broken) pack() string {
	if b.in != "" {
		return b.in
	}
	return filepath.Dir(b.file)
}

// Each break is found: with it, the test of its protocol fails.
func TestBreaksAreFound(t *testing.T) {
	groups := make(map[string][]broken)
	for _, b := range all() {
		if n := strings.Count(testrun.Read(t, filepath.Join(root(t), b.file)), b.old); n != 1 {
			t.Errorf("%s: %s has %d times:\n%s", b.name, b.file, n, b.old)
		} else if b.often || !testing.Short() {
			groups[b.pack()] = append(groups[b.pack()], b)
		}
	}
	for pack, group := range groups {
		t.Run(pack, func(t *testing.T) {
			binary := build(t, pack, group)
			passes := make(map[string]bool)
			for k, b := range group {
				if !passes[b.test] {
					passes[b.test] = true
					out, err := b.run(t, binary, 0, "-test.short")
					testrun.OK(t, err, "no break is on: %s", out)
				}
				t.Run(b.name, func(t *testing.T) { b.find(t, binary, k+1) })
			}
		})
	}
}

func all() (table []broken) {
	for _, t := range [][]broken{
		dequeBreaks, nextEDTBreaks, oldestBreaks, priorityBreaks, inboxBreaks, parkBreaks, runBreaks, mailBreaks, blockBreaks,
		eventBreaks, countdownBreaks, channelBreaks, scopeBreaks, recordedBreaks, acquireBreaks,
		directoryBreaks, proxyScopeBreaks, endBreaks,
	} {
		table = append(table, t...)
	}
	return table
}

// find runs the test of a break with that break.
func (b *broken) find(t *testing.T, binary string, number int) {
	out, err := b.run(t, binary, number, "-test.timeout=2m")
	if err == nil || found(out) == "" {
		t.Fatalf("not found: %v\n%s", err, out)
	}
	t.Log(found(out))
}

// run runs the test of a break with the break of this number, 0 for none.
func (b *broken) run(t *testing.T, binary string, number int, flag string) ([]byte, error) {
	cmd := exec.Command(binary, flag, "-test.run", "^Test(Explored)?"+b.test+"$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, number), "OCR_NIGHTLY=")
	if b.large && number > 0 {
		cmd.Env = append(cmd.Env, "OCR_NIGHTLY=1")
	}
	cmd.Dir = filepath.Join(root(t), b.pack())
	return cmd.CombinedOutput()
}

// found returns the first line in which a test reports a failure, "" for none. A break may also crash the test. A test
// that runs into its time limit has found nothing.
func found(out []byte) string {
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "panic: test timed out") {
			return ""
		}
		if strings.Contains(line, "_test.go:") || strings.HasPrefix(line, "panic: ") ||
			strings.HasPrefix(line, "fatal error: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

func root(t *testing.T) string {
	dir, err := filepath.Abs("../../..")
	testrun.OK(t, err, "root")
	return dir
}
