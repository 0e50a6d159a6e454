package hello_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/hello"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func Example() {
	err := runtime.Run(context.Background(), hello.New(os.Stdout), runtime.Argv("hello", "Ada", "Grace"))
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1: hello, Ada
	// 2: hello, Grace
}

var greetings = []struct {
	argv []string
	want string
}{
	{nil, "1: hello, world\n"},
	{[]string{"hello"}, "1: hello, world\n"},
	{[]string{"hello", "Ada"}, "1: hello, Ada\n"},
	{[]string{"hello", "", "ψ", "Grace Hopper"}, "1: hello, \n2: hello, ψ\n3: hello, Grace Hopper\n"},
}

func TestGreetingsInAnyReadyOrder(t *testing.T) {
	for seed := range uint64(50) {
		for _, test := range greetings {
			var out strings.Builder
			h := edttest.New(seed, edt.Config{Workers: 3})
			if seed >= 20 {
				h = edttest.NewRanks(seed, 2+int(seed%3), edt.Config{Workers: 1})
			}
			if err := h.Run(hello.New(&out), test.argv...); err != nil || out.String() != test.want {
				t.Errorf("seed %d, %q: %q, error %v; want %q", seed, test.argv, out.String(), err, test.want)
			}
			testrun.Equal(t, 0, len(h.Graph.Leaks()), "seed %d, %q: leaks", seed, test.argv)
			h.Graph.Close()
		}
	}
}
