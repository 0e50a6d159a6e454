//go:build ignore

// Command serve answers requests: each is a graph on one worker of a pool.
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
	pool, err := runtime.New(runtime.Workers(2), runtime.Each(1))
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// cancelled when the client leaves
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
