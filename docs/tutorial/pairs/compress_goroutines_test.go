package pairs_test

import (
	"context"
	"io"
	"sync"
)

func compressGoroutines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	raw, zip := make(chan []byte, 4), make(chan []byte, 4)
	send := func(to chan []byte, b []byte) bool {
		select {
		case to <- b:
			return true
		case <-ctx.Done():
			return false
		}
	}
	var all sync.WaitGroup
	all.Go(func() {
		defer close(raw)
		for {
			b := make([]byte, chunk)
			n, err := io.ReadFull(in, b)
			if n > 0 && send(raw, b[:n]) {
				continue
			}
			if err != nil && err != io.EOF {
				cancel(err)
			}
			return
		}
	})
	all.Go(func() {
		defer close(zip)
		for b := range raw {
			if !send(zip, pack(b)) {
				return
			}
		}
	})
	for b := range zip {
		if _, err := out.Write(b); err != nil {
			cancel(err)
			break
		}
	}
	all.Wait()
	return context.Cause(ctx)
}
