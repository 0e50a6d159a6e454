//go:build ignore

// Command stuck has an EDT that waits for what never comes.
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
			phone.Close() // without a call
		}()
	}
	watch := runtime.Watch{Still: time.Second, Report: func(s runtime.Stall) {
		fmt.Println(s)
		close(silent)
	}}
	err := runtime.Run(context.Background(), task.Main(start), runtime.Watchdog(watch), runtime.TrackSites(), runtime.Workers(1))
	fmt.Println(err)
}
