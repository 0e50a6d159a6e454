// Package history records calls that goroutines make at the same time, and checks with porcupine that they could have
// been made one after the other. It is for the tests of lock-free structures.
//
//	r := history.New(2)
//	r.Together(
//		func() { r.Do(0, push{1}, func() any { d.push(1); return nil }) },
//		func() { r.Do(1, steal{}, func() any { return d.steal() }) },
//	)
//	r.Check(t, model)
package history

import (
	"cmp"
	"fmt"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A Recorder notes the calls of a number of clients.
//
// Concurrency: a client's calls are noted by one goroutine; all use the clock.
type Recorder struct {
	clock   atomic.Int64
	clients [][]porcupine.Operation
}

// New makes a recorder for a number of clients.
func New(clients int) *Recorder { return &Recorder{clients: make([][]porcupine.Operation, clients)} }

// Now returns a time after all that were returned before.
func (r *Recorder) Now() int64 { return r.clock.Add(1) }

// Do makes a call and notes it with its result.
func (r *Recorder) Do(client int, input any, call func() any) {
	begin := r.Now()
	output := call()
	r.Note(client, input, begin, output, r.Now())
}

// Note records a call whose begin and end the caller knows. The clients' own goroutines may use it, and any goroutine
// when they have ended.
func (r *Recorder) Note(client int, input any, begin int64, output any, end int64) {
	r.clients[client] = append(r.clients[client],
		porcupine.Operation{ClientId: client, Input: input, Call: begin, Output: output, Return: end})
}

// Together runs functions at the same time, as nearly as it can.
func (r *Recorder) Together(all ...func()) {
	var waiting atomic.Int64
	var ended sync.WaitGroup
	for _, f := range all {
		ended.Go(func() {
			waiting.Add(1)
			for waiting.Load() < int64(len(all)) {
				goruntime.Gosched()
			}
			f()
		})
	}
	ended.Wait()
}

// History returns what was noted, by the times of the calls.
func (r *Recorder) History() []porcupine.Operation {
	all := slices.Concat(r.clients...)
	slices.SortFunc(all, func(a, b porcupine.Operation) int { return cmp.Compare(a.Call, b.Call) })
	return all
}

// Check fails the test if the calls are not linearizable.
func (r *Recorder) Check(t testing.TB, m porcupine.Model) {
	t.Helper()
	h := r.History()
	if got := porcupine.CheckOperationsTimeout(m, h, 30*time.Second); got != porcupine.Ok {
		t.Fatalf("%s: no order of these calls explains their results:\n%s", got, Text(m, h))
	}
}

// Text describes a history, a call a line.
func Text(m porcupine.Model, h []porcupine.Operation) string {
	var b strings.Builder
	for _, op := range h {
		what := fmt.Sprintf("%+v = %+v", op.Input, op.Output)
		if m.DescribeOperation != nil {
			what = m.DescribeOperation(op.Input, op.Output)
		}
		fmt.Fprintf(&b, "client %d, %3d to %3d: %s\n", op.ClientId, op.Call, op.Return, what)
	}
	return b.String()
}

// A Wrong is a history, made by hand, that a specification must reject: calls one after the other.
type Wrong struct {
	Name  string
	Calls []Call
}

// A Call is one call of a history made by hand.
type Call struct{ Input, Output any }

// Rejects checks that a specification does not accept what it should not: every
// history is wrong, and right without its last call.
func Rejects(t *testing.T, m porcupine.Model, histories ...Wrong) {
	t.Helper()
	for _, w := range histories {
		t.Run(w.Name, func(t *testing.T) {
			r := New(1)
			for k, c := range w.Calls {
				if ok := porcupine.CheckOperations(m, r.History()); !ok {
					t.Fatalf("rejected already before call %d:\n%s", k, Text(m, r.History()))
				}
				r.Do(0, c.Input, func() any { return c.Output })
			}
			if porcupine.CheckOperations(m, r.History()) {
				t.Errorf("accepted:\n%s", Text(m, r.History()))
			}
		})
	}
}
