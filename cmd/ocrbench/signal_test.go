package main

import (
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// An interrupt that comes twice at once is one; a later one is another.
func TestDoubledSignalCountsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 2)
		signals <- os.Interrupt
		first := awaitSignal(signals, time.Time{})
		signals <- os.Interrupt // at once: the same again
		second := make(chan time.Time)
		go func() { second <- awaitSignal(signals, first) }()
		time.Sleep(2 * sameSignal)
		select {
		case <-second:
			t.Fatal("a doubled signal was taken for a second one")
		default:
		}
		signals <- os.Interrupt
		if <-second == first {
			t.Fatal("the second signal was not seen")
		}
	})
}
