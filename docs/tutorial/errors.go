//go:build ignore

// Command errors reads a file that is not there, while an EDT computes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

var files = edt.NewBlocking(4)

func start(c *edt.Ctx) {
	task.Go0(c, func(c *edt.Ctx) {
		for c.Context().Err() == nil {
			// try the next key
		}
		fmt.Println("the EDT ends early:", context.Cause(c.Context()) != nil)
	})
	text := task.Blocking(c, files, func(context.Context) ([]byte, error) { return os.ReadFile("keys.txt") })
	task.Go1(c, text.From(), func(c *edt.Ctx, keys task.RO[byte]) {
		if keys.Len() > 100 {
			c.Fail(fmt.Errorf("%d bytes of keys, want at most 100", keys.Len()))
		}
		keys.Destroy(c)
	})
}

func main() {
	err := runtime.Run(context.Background(), task.Main(start), runtime.Workers(2))
	fmt.Println("missing:", errors.Is(err, fs.ErrNotExist))
	fmt.Println(err)
}
