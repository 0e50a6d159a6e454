package sys

import (
	"os"

	"golang.org/x/sys/unix"
)

// Exec replaces this process by a program with these arguments and this process's environment. It returns only an
// error.
func Exec(program string, argv []string) error { return unix.Exec(program, argv, os.Environ()) }
