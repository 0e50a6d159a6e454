package graphtest

import (
	"os"
	"testing"

	"ocr/internal/proof/remote"
)

func TestMain(m *testing.M) {
	if remote.Asked() {
		os.Exit(remote.Main(m))
	}
	os.Exit(m.Run())
}
