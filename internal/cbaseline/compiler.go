package cbaseline

import (
	"context"
	"embed"
	"fmt"
	"os"
	goruntime "runtime"
	"sync"

	"ocr/internal/cbuild"
)

//go:embed testdata/c2c.c testdata/kernels.h
var sources embed.FS

// source is the program before it is compiled.
var source = cbuild.Program{
	Name: "c2c", Files: sources, Main: "testdata/c2c.c", Compilers: []string{"gcc", "cc"}, Flags: []string{"-std=gnu11", "-O3", "-pthread"},
}

// program is the compiled program, once for the process.
//
// Concurrency: the mutex guards file; it is held while compiling.
var program struct {
	sync.Mutex
	file *os.File
}

// Prepare compiles the program, unless this process has done so before. That takes about half a
// second.
func Prepare(ctx context.Context) error {
	_, err := executable(ctx)
	return err
}

// executable returns the path that this process and its children run the
// program by.
func executable(ctx context.Context) (string, error) {
	program.Lock()
	defer program.Unlock()
	if program.file == nil {
		if goruntime.GOOS != "linux" {
			return "", fmt.Errorf("cbaseline: threads are pinned on linux only, this is %s", goruntime.GOOS)
		}
		file, err := source.Build(ctx)
		if err != nil {
			return "", fmt.Errorf("cbaseline: %w", err)
		}
		program.file = file
	}
	return cbuild.Path(program.file), nil
}
