//go:build ignore

// Command serve answers requests, two at a time: each is a graph on a pool of one worker.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

func main() {
	free := make(chan *runtime.Pool, 2) // the pools that no request has
	for range cap(free) {
		pool, err := runtime.New(runtime.Workers(1), runtime.Bind(runtime.BindNone))
		if err != nil {
			log.Fatal(err)
		}
		defer pool.Close()
		free <- pool
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pool := <-free
		defer func() { free <- pool }()
		// r.Context() is cancelled when the client leaves.
		text, err := task.RunAll(r.Context(), pool, func(c *edt.Ctx, out task.Event[byte]) {
			task.Go0(c, func(c *edt.Ctx) { out.Put(c, []byte("hello, "+r.FormValue("name"))...) })
		})
		fmt.Fprintln(w, string(text), err)
	}))
	defer server.Close()
	answer, err := http.Get(server.URL + "?name=Ada")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	io.Copy(os.Stdout, answer.Body)
}

// Output:
// hello, Ada <nil>
