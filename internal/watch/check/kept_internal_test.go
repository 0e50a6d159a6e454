package check

import (
	"strconv"
	"strings"
	"testing"

	"ocr/internal/core/sys"
	"ocr/internal/proof/testrun"
	"ocr/runtime/finding"
)

// Released copies of blocks of any size are kept up to a sum of sizes; a late write to one that is kept is found.
func TestReleasedCopiesAreBounded(t *testing.T) {
	const size, most = 1 << 20, releasedKept
	k, kept := New(0), 0
	for range 2 * most * sys.Page / size {
		k.hide(&view{block: &block{}, bytes: make([]byte, size)})
	}
	for _, v := range k.released {
		kept += len(v.bytes)
	}
	testrun.Equal(t, most*sys.Page, kept, "bytes of released copies")
	k.released[0].bytes[5] = 1
	found := k.Finish(nil)
	if len(found) != 1 || found[0].Kind != finding.LateAccess || !strings.Contains(found[0].Detail, "byte 5 of") {
		t.Errorf("found %v", found)
	}
}

func TestWarnings(t *testing.T) {
	k := New(0)
	testrun.Equal(t, 0, len(k.Warnings()), "warnings of a run without findings")
	for n := range maxFindings + 3 {
		k.report(finding.Finding{Template: strconv.Itoa(n)})
	}
	k.undecided = 2
	testrun.Contains(t, strings.Join(k.Warnings(), "\n"), "too short 2 times", ": 3 more were dropped")
}
