package par_test

import (
	"testing"

	"ocr/internal/proof/testrun"
)

func TestMistakesDoNotCompile(t *testing.T) { testrun.Mistakes(t, "testdata/wrong", 25) }
