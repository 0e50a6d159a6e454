package pairs_test

import "context"

func pipeGoroutines(ctx context.Context, n int) (int, error) {
	numbers, squares := make(chan int, 4), make(chan int, 4)
	send := func(to chan int, x int) bool {
		select {
		case to <- x:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer close(numbers)
		for next := 1; next <= n; next++ {
			if !send(numbers, next) {
				return
			}
		}
	}()
	go func() {
		defer close(squares)
		for x := range numbers {
			if !send(squares, x*x) {
				return
			}
		}
	}()
	sum := 0
	for x := range squares {
		sum += x
	}
	return sum, ctx.Err()
}
