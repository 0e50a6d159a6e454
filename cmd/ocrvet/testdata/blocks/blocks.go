// Package blocks has bodies that block, and bodies that do not.
package blocks

import (
	"context"
	"net/http"
	"sync"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var (
	in   = make(chan int)
	wg   sync.WaitGroup
	mu   sync.Mutex
	pool = edt.NewBlocking(1)

	transport http.RoundTripper
)

var waits = task.Define0("waits", func(c *edt.Ctx, n int) {
	<-in           // want blocks "a receive from a channel blocks the EDT"
	in <- n        // want blocks "a send on a channel"
	for range in { // want blocks "a receive"
	}
	select { // want blocks "a select without default"
	case <-in:
	case in <- 1:
	}
	time.Sleep(time.Millisecond) // want blocks "time.Sleep"
	wg.Wait()                    // want blocks "sync.WaitGroup.Wait"
	helper()
	func() {
		<-in // want blocks "a receive"
	}()
	_ = runtime.Run(context.Background(), nil) // want blocks "ocr/runtime.Run"
})

var deferred = task.Define0("deferred", func(c *edt.Ctx, n int) {
	defer wg.Wait() // want blocks "sync.WaitGroup.Wait"
	defer func() {
		<-in // want blocks "a receive"
	}()
})

var fetches = task.Define0("fetches", func(c *edt.Ctx, n int) {
	var client http.Client
	_, _ = client.Get("")            // want blocks "net/http.Client.Get"
	_, _ = client.Head("")           // want blocks "net/http.Client.Head"
	_, _ = client.Post("", "", nil)  // want blocks "net/http.Client.Post"
	_, _ = client.PostForm("", nil)  // want blocks "net/http.Client.PostForm"
	_, _ = transport.RoundTrip(nil)  // want blocks "net/http.RoundTripper.RoundTrip"
	_ = (&http.Server{}).Serve(nil)  // want blocks "net/http.Server.Serve"
	_ = http.ListenAndServe("", nil) // want blocks "net/http.ListenAndServe"
	client.CloseIdleConnections()
})

func helper() {
	deeper(func() {
		<-in // want blocks "a receive"
	})
}

func deeper(f func()) {
	f()
	wg.Wait() // want blocks "sync.WaitGroup.Wait"
}

func late(c *edt.Ctx) {
	time.Sleep(1) // want blocks "time.Sleep"
}

var half = par.DefineMap("half", func(n, x int) int {
	return <-in // want blocks "a receive"
})

var keeps = task.Define0("locks", func(c *edt.Ctx, n int) {
	mu.Lock() // want blocks "the EDT returns with this mutex held"
	if n > 0 {
		return
	}
	mu.Unlock()
})

// What follows is right.

var right = task.Define1("right", func(c *edt.Ctx, n int, a task.RW[int]) {
	select {
	case in <- n:
	default:
	}
	mu.Lock()
	n++
	mu.Unlock()
	guarded(n)
	go func() { <-in }()
	go wg.Wait()
	defer close(in)
	task.Blocking(c, pool, func(context.Context) []int { return []int{<-in} })
	runtime.Unpinned(func() { time.Sleep(1) })
	t := c.NewTemplate("more", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	c.NewEDT(t, nil)
})

var locks = task.Define0("guarded", func(c *edt.Ctx, n int) {
	mu.Lock()
	defer mu.Unlock()
	if n > 0 {
		return
	}
})

func guarded(n int) int {
	mu.Lock()
	defer mu.Unlock()
	return n
}

// waiter is called outside EDTs only.
func waiter() int {
	wg.Wait()
	return <-in
}
