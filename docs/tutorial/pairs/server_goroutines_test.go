package pairs_test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

func serveGoroutines(workers chan bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("n"))
		if err != nil || n < 0 {
			http.Error(w, "n: want a number", http.StatusBadRequest)
			return
		}
		var sum atomic.Int64
		var all sync.WaitGroup
		for lo := 0; lo < n && r.Context().Err() == nil; lo += grain {
			select {
			case workers <- true:
				all.Go(func() {
					defer func() { <-workers }()
					sum.Add(int64(primes(lo, min(n, lo+grain))))
				})
			case <-r.Context().Done():
			}
		}
		all.Wait()
		if err := r.Context().Err(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, sum.Load())
	}
}
