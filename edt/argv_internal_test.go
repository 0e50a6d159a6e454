package edt

import (
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/dep"
	"ocr/internal/proof/testrun"
)

// argDep makes a dependence on a block with these bytes.
func argDep(t testing.TB, b []byte) *datablock.Dep {
	if len(b) == 0 {
		return new(datablock.Dep)
	}
	s := new(block.Store)
	s.Open(0)
	t.Cleanup(s.Close)
	var l block.Local
	l.Init(s, nil)
	i, r, err := l.Create(len(b), false)
	testrun.OK(t, err)
	copy(r.Bytes(), b)
	d := new(dep.State)
	block.Describe(d, guid.FromWords(1, r.Low(i)), r, datablock.RO, dep.Held)
	return block.Show(d)
}

func FuzzArgv(f *testing.F) {
	f.Add([]byte{})
	f.Add(encodeArgv([]string{"prog", "", "x y"}))
	f.Add(append(encodeArgv(nil), 1, 2, 3))
	f.Add(slices.Repeat([]byte{1}, 24))
	f.Fuzz(func(t *testing.T, b []byte) {
		argv := Argv(argDep(t, b))
		for _, a := range argv {
			if strings.Contains(a, "\x00") {
				t.Fatalf("%q", argv)
			}
		}
		if argv == nil {
			return
		}
		testrun.Same(t, argv, Argv(argDep(t, encodeArgv(argv))), "encoded and decoded")
	})
}

func TestArgvWithoutFinalZero(t *testing.T) {
	b := encodeArgv([]string{"a", "bc"})
	testrun.Same(t, []string{"a", "bc"}, Argv(argDep(t, b[:len(b)-1])))
}
