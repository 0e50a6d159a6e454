package edt_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/proof/remote"
)

func TestMain(m *testing.M) {
	if remote.Asked() {
		os.Exit(remote.Main(m))
	}
	goleak.VerifyTestMain(m)
}
