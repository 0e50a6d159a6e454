package pairs_test

import (
	"context"
	"crypto/sha256"
	"io/fs"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

var disk = edt.NewBlocking(places)

func checksumsTasks(ctx context.Context, tree fs.FS) ([]checksum, error) {
	names, err := namesIn(tree)
	if err != nil {
		return nil, err
	}
	sums := make([]checksum, len(names))
	var call func(c *edt.Ctx, k int)
	call = func(c *edt.Ctx, k int) {
		if k >= len(names) {
			return
		}
		text := task.Blocking(c, disk, func(context.Context) ([]byte, error) { return fs.ReadFile(tree, names[k]) })
		task.Go1(c, text.From(), func(c *edt.Ctx, text task.RO[byte]) {
			sums[k] = checksum{names[k], sha256.Sum256(text.Slice())}
			text.Destroy(c)
			call(c, k+places)
		})
	}
	err = runtime.Run(ctx, task.Main(func(c *edt.Ctx) {
		for k := range places {
			call(c, k)
		}
	}))
	return sums, err
}
