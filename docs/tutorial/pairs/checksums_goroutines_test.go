package pairs_test

import (
	"context"
	"crypto/sha256"
	"io/fs"

	"golang.org/x/sync/errgroup"
)

func checksumsGoroutines(ctx context.Context, tree fs.FS) ([]checksum, error) {
	names, err := namesIn(tree)
	if err != nil {
		return nil, err
	}
	sums := make([]checksum, len(names))
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(places)
	for k, name := range names {
		all.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			text, err := fs.ReadFile(tree, name)
			sums[k] = checksum{name, sha256.Sum256(text)}
			return err
		})
	}
	return sums, all.Wait()
}
