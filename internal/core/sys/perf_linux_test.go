package sys

import (
	"fmt"
	goruntime "runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A counter sees what threads do that were there before it, and those that came later.
func TestCounterCountsAllThreads(t *testing.T) {
	touch, touched := make(chan int), make(chan bool)
	thread := func() {
		goruntime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		touched <- true
		pages := <-touch
		b, err := unix.Mmap(-1, 0, pages*4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err == nil {
			err = unix.Madvise(b, unix.MADV_NOHUGEPAGE)
		}
		for k := 0; err == nil && k < len(b); k += 4096 {
			b[k] = 1
		}
		touched <- err == nil
	}
	go thread()
	<-touched
	c, err := OpenCounter(PageFaults)
	if err != nil {
		if _, known := err.(unix.Errno); known || !strings.Contains(err.Error(), " ") {
			t.Errorf("the reason is %v", err)
		}
		t.Skipf("page faults cannot be counted here: %v", err)
	}
	defer c.Close()
	const pages = 5000
	for _, late := range []bool{false, true} {
		if late {
			go thread()
			<-touched
		}
		before := c.Read()
		touch <- pages
		if !<-touched {
			t.Skip("no memory for the pages that are to be touched")
		}
		if n := c.Read() - before; n < pages || n > 2*pages {
			t.Errorf("a thread that came late %v: %d pages touched, %d faults", late, pages, n)
		}
	}
}

// TestWhyNotCounted holds that each way to be refused is put into words.
func TestWhyNotCounted(t *testing.T) {
	for errno, want := range map[unix.Errno]string{
		unix.ENOENT: "no counter", unix.EOPNOTSUPP: "no counter", unix.EACCES: "perf_event_paranoid is ",
		unix.EPERM:  "sandbox",
		unix.ENOSYS: "cannot count", unix.EMFILE: "too many open files",
	} {
		if got := fmt.Sprint(whyNotCounted(errno)); !strings.Contains(got, want) {
			t.Errorf("%v: %s", errno, got)
		}
	}
	if _, err := OpenCounter(Event{unix.PERF_TYPE_SOFTWARE, 1 << 20}); err == nil ||
		strings.Contains(err.Error(), "errno") {
		t.Errorf("an event that there is not: %v", err)
	}
}
