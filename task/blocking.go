package task

import (
	"context"
	"unsafe"

	"ocr/edt"
)

// Blocking calls f on a goroutine outside the workers, in one of the places of the [edt.Blocking]. Bodies must not wait
// for files, the network or a lock: f may. Blocking returns an event. When f has returned, a block of copies of the
// returned elements, perhaps an empty block, satisfies the event. One slot may wait for the event. An error of f ends
// the run, as [edt.Ctx.Fail] does; see [edt.Blocking] for what many calls cost, and [edt.Blocking.Call] for how long
// the run waits for f, and what ctx is.
//
//	var disk = edt.NewBlocking(4) // at most four calls at once
//
//	text := task.Blocking(c, disk, func(context.Context) ([]byte, error) { return os.ReadFile(name) })
//	parse.New(c, p, text.From())
func Blocking[T any](c *edt.Ctx, on *edt.Blocking, f func(ctx context.Context) ([]T, error)) Event[T] {
	sizeOf[T](c, 1) // ends the run if T has pointers
	if f == nil {
		return Event[T]{on.Call(c, nil)} // ends the run: f is nil
	}
	return Event[T]{on.Call(c, func(ctx context.Context) ([]byte, error) {
		elements, err := f(ctx)
		return bytesOf(elements), err
	})}
}

// BlockingDo is [Blocking] for a function without a result: the event brings no block.
func BlockingDo(c *edt.Ctx, on *edt.Blocking, f func(ctx context.Context) error) Event[Nothing] {
	return Event[Nothing]{on.Do(c, f)}
}

// bytesOf returns the memory of the elements, which stays alive with the result. It is sound for elements without
// pointers.
func bytesOf[T any](elements []T) []byte {
	var element T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(elements))), len(elements)*int(unsafe.Sizeof(element)))
}
