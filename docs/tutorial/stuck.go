//go:build ignore

// Command stuck has an EDT that waits for an event that is never satisfied.
package main

import (
	"context"
	"fmt"
	"time"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

type caller struct{ Line int }

var answer = task.Define1("stuck.answer", func(*edt.Ctx, caller, task.RO[byte]) {})

func main() {
	silent := make(chan bool)
	start := func(c *edt.Ctx) {
		event, phone := c.NewExternal(1) // for goroutines outside of the run
		answer.New(c, caller{7}, task.Event[byte]{GUID: event}.From())
		go func() {
			<-silent
			phone.Close() // no satisfaction will come
		}()
	}
	watch := runtime.Watch{Still: time.Second, Report: func(s runtime.Stall) {
		fmt.Println(s)
		close(silent)
	}}
	options := []runtime.Option{runtime.Watchdog(watch), runtime.TrackSites(), runtime.Workers(1)}
	fmt.Println(runtime.Run(context.Background(), task.Main(start), options...))
}

// Output:
// no EDT has begun for ...
// EDTs: 1 waiting, 0 acquiring, 0 ready
//   EDT 0002 of template stuck.answer (line 7), created at stuck.go:24 by main
//     slot 0 (RO uint8): sticky event 0001, never satisfied, created at stuck.go:23 by main; made at stuck.go:23 ...
// open from outside: event 0001, made at stuck.go:23 by main, satisfied from outside 0 of 1 times
//
// edt: stuck: 1 EDT(s) wait and nothing can run
//   EDT 0002 of template stuck.answer (line 7), created at stuck.go:24 by main
//     slot 0 (RO uint8): sticky event 0001, never satisfied, created at stuck.go:23 by main; ... closed at stuck.go:27
