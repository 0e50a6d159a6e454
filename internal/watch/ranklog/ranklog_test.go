package ranklog

import (
	"fmt"
	"reflect"
	"testing"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// logs returns the logs of ranks of two workers.
func logs(ranks int) (all []*Log) {
	for k := range ranks {
		all = append(all, newLog(k, ranks, 2, true))
	}
	return all
}

// join gives rank 0 all logs.
func join(all []*Log) *Log {
	for k, l := range all {
		all[0].parts[k] = l.records.bytes
	}
	return all[0]
}

// A lister has all records.
type lister struct {
	Reader
	got []Record
}

func (l *lister) Now(r *Record)             { l.got = append(l.got, *r) }
func (l *lister) Created(guid.GUID, string) {}
func (l *lister) Begins(*Record)            {}
func (l *lister) EDTReady(guid.GUID)        {}

// replay returns the records of all ranks.
func (l *Log) replay() (got []Record, cut bool) {
	var all lister
	cut = l.Replay(func(int) Reader { return &all })
	return all.got, cut
}

// TestRecords: a record is read as it was written, whatever parts it has.
func TestRecords(t *testing.T) {
	full := Record{
		Worker: 2, Self: true, kind: begins, N: -1, Mode: datablock.EW, At: 1 << 60, A: guid.FromWords(1, 2),
		B: guid.FromWords(3, ^uint64(0)), C: guid.FromWords(5, 6),
		Site: "x.go:1", Name: "name", About: "about",
		Deps: []Dep{{guid.FromWords(7, 8), datablock.RO, "name"}, {Mode: datablock.Null}}, Data: []byte("data"), from: 9,
	}
	l, want := logs(1)[0], []Record{full, {kind: ready, Data: []byte{}}}
	for k := range reflect.TypeFor[Record]().NumField() { // one part at a time is missing
		r := full
		if f := reflect.ValueOf(&r).Elem().Field(k); f.CanSet() {
			f.SetZero()
		}
		want = append(want, r)
	}
	for k := range want {
		r := want[k]
		want[k].Moment = l.add(&r)
	}
	got, cut := l.replay()
	if cut || len(got) != len(want) {
		t.Fatalf("%d of %d records, cut %v", len(got), len(want), cut)
	}
	for k := range want {
		if g, w := fmt.Sprintf("%+v", got[k]), fmt.Sprintf("%+v", want[k]); g != w {
			t.Errorf("record %d:\n%s\nwant\n%s", k, g, w)
		}
	}
}

// TestOrder: what a message leads to is behind it, though the clock of its rank be late; and all is in the order of a
// rank.
func TestOrder(t *testing.T) {
	all := logs(3)
	const ahead = 1 << 62
	all[0].moment = ahead // this machine's clock is ahead
	names := []string{"a", "b", "c", "d"}
	add := func(rank int, name string) uint64 { return all[rank].add(&Record{kind: created, Name: name}) }
	all[1].heard(add(0, "a"))
	all[2].heard(add(1, "b"))
	all[0].heard(add(2, "c"))
	add(0, "d")
	records, cut := join(all).replay()
	var got []string
	for _, r := range records {
		got = append(got, r.Name)
	}
	if !reflect.DeepEqual(got, names) || cut || all[0].Lost() != nil {
		t.Errorf("%v, cut %v, lost %v", got, cut, all[0].Lost())
	}
	all[0].parts[1] = nil
	if lost := all[0].Lost(); !reflect.DeepEqual(lost, []int{1}) {
		t.Errorf("lost %v", lost)
	}
}

// TestCut: nothing is read out of any rank that is later than what one has kept.
func TestCut(t *testing.T) {
	all := logs(2)
	all[1].limit = 100
	for n := range 50 {
		for _, l := range all {
			l.add(&Record{kind: created, Name: fmt.Sprint(n)})
		}
	}
	seen := [2]int{}
	records, cut := join(all).replay()
	for _, r := range records {
		seen[r.Rank]++
	}
	if !cut || seen[1] < 5 || seen[1] > 20 || seen[0] < seen[1] || seen[0] > seen[1]+1 {
		t.Errorf("cut %v, records %v", cut, seen)
	}
}

// TestMessages: what is known of a message is there until the next of its sender has come.
func TestMessages(t *testing.T) {
	var m Messages[string]
	for moment := range uint64(3) {
		m.Sent(&Record{Rank: 1, Moment: moment + 1}, fmt.Sprint(moment+1))
	}
	here := &Record{Rank: 0}
	for _, moment := range []uint64{1, 1, 2, 3} {
		testrun.Equal(t, fmt.Sprint(moment), m.Came(here, 1, moment), "message %d", moment)
	}
	testrun.Equal(t, 1, len(m.sent), "messages kept")
}
