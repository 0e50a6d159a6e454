package sys

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// BoundToParent are the attributes of a child process that is killed when the thread that started
// it ends, and that a terminal's signals do not reach: it is in a process group of its own.
func BoundToParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL, Setpgid: true}
}

// SocketPair returns the two ends of a connection between processes.
func SocketPair() (a, b *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("sys: make a connection: %w", err)
	}
	return os.NewFile(uintptr(fds[0]), "connection"), os.NewFile(uintptr(fds[1]), "connection"), nil
}

// Inherited returns a file that the parent process has passed on under a number. Child processes
// of this one do not get it. It is nil if there is no such file.
func Inherited(fd int, name string) *os.File {
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, unix.FD_CLOEXEC); err != nil {
		return nil
	}
	_ = unix.SetNonblock(fd, true) // so that a Close ends a Read
	return os.NewFile(uintptr(fd), name)
}
