package runtime

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"ocr/edt"
)

// nest starts a run over ranks in a body, on the last rank or the first, and prints the error.
var nest = edt.NewTemplate("runtime_test.nest", 0, 0, does(func(c *edt.Ctx, _ edt.Args) {
	err := Run(context.Background(), starting(func(*edt.Ctx) {}), Ranks(2), Workers(1))
	_, jobErr := StartJob(2)
	fmt.Println(err, jobErr == nil || err == nil || jobErr.Error() != err.Error())
}))

func nested() int {
	if err := Run(context.Background(), everywhere(nest), Ranks(2), Workers(1)); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// TestRanksInBody: a run over ranks that a body starts is refused on each rank, with one line.
func TestRanksInBody(t *testing.T) {
	out, err := program("nested").CombinedOutput()
	want := "runtime: Ranks(2): " + inBody + " false\n"
	if err != nil || string(out) != want+"[1] "+want && string(out) != "[1] "+want+want {
		t.Errorf("%v:\n%s, want twice %q", err, out, want)
	}
}

// TestMostRanks: more ranks are allowed if mpirun has started them.
func TestMostRanks(t *testing.T) {
	const asked = "OMPI_COMM_WORLD_SIZE"
	if n, err := strconv.Atoi(os.Getenv(asked)); err == nil {
		fmt.Println("error:", checkRanks(n))
		return
	}
	for n, want := range map[int]string{4096: "<nil>", 4097: "runtime: Ranks(4097): want 1 to 4096"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMostRanks$")
		cmd.Env = append(os.Environ(), fmt.Sprint(asked, "=", n), "OMPI_COMM_WORLD_RANK=0")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "error: "+want+"\n") {
			t.Errorf("%v:\n%s, want %q", err, out, want)
		}
	}
}

// TestRanksWithoutServe: tests that run a program over ranks need a TestMain that calls ServeIfRank.
func TestRanksWithoutServe(t *testing.T) {
	const asked = "RUNTIME_TEST_NO_SERVE"
	if os.Getenv(asked) != "" {
		callsServe.Store(false)
		fmt.Println("error:", Run(context.Background(), everywhere(sayRank), Ranks(2), Workers(1)))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRanksWithoutServe$", "-test.v")
	cmd.Env = append(os.Environ(), asked+"=yes")
	out, err := cmd.CombinedOutput()
	const want = "error: runtime: Ranks(2): the other ranks would run these tests as well: " +
		"call runtime.ServeIfRank in TestMain\n"
	if err != nil || strings.Count(string(out), want) != 1 || strings.Contains(string(out), "of rank") {
		t.Errorf("%v:\n%s, want %q", err, out, want)
	}
}
