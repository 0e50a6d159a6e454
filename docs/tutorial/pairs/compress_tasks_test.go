package pairs_test

import (
	"context"
	"io"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

func compressTasks(ctx context.Context, in io.Reader, out io.Writer) error {
	buffer := make([]byte, chunk)
	return runtime.Run(ctx, task.Main(func(c *edt.Ctx) {
		raw := par.From(c, 4, func(c *edt.Ctx) (b task.Block[byte], more bool) {
			n, err := io.ReadFull(in, buffer)
			if n > 0 {
				return task.Of(c, buffer[:n]...), true
			}
			check(c, err)
			return b, false
		})
		zip := par.Through(c, raw, 4, func(c *edt.Ctx, b []byte) task.Block[byte] { return task.Of(c, pack(b)...) })
		par.To(c, zip, func(c *edt.Ctx, b []byte) {
			_, err := out.Write(b)
			check(c, err)
		}, nil)
	}))
}

// check ends the run by an error that is not the end of the input.
func check(c *edt.Ctx, err error) {
	if err != nil && err != io.EOF {
		c.Fail(err)
	}
}
