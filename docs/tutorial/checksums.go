//go:build ignore

// Command checksums reads files, four at a time, and computes the checksum of each in an EDT. An EDT that has got its
// file makes the call for another file.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log"
	"testing/fstest"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

const places = 4 // calls at a time

var disk = edt.NewBlocking(places)

func checksums(ctx context.Context, tree fs.FS, names []string) ([][sha256.Size]byte, error) {
	sums := make([][sha256.Size]byte, len(names))
	var call func(c *edt.Ctx, k int)
	call = func(c *edt.Ctx, k int) {
		if k >= len(names) {
			return
		}
		text := task.Blocking(c, disk, func(context.Context) ([]byte, error) { return fs.ReadFile(tree, names[k]) })
		task.Go1(c, text.From(), func(c *edt.Ctx, text task.RO[byte]) {
			sums[k] = sha256.Sum256(text.Slice())
			text.Destroy(c)
			call(c, k+places)
		})
	}
	err := runtime.Run(ctx, task.Main(func(c *edt.Ctx) {
		for k := range places {
			call(c, k)
		}
	}))
	return sums, err
}

func main() {
	tree := fstest.MapFS{"empty": {}}
	names := []string{"empty"}
	for _, text := range []string{"abc", "hello, world", "one", "two", "three"} {
		tree[text], names = &fstest.MapFile{Data: []byte(text)}, append(names, text)
	}
	sums, err := checksums(context.Background(), tree, names)
	if err != nil {
		log.Fatal(err)
	}
	for k, name := range names {
		fmt.Printf("%-12s %x\n", name, sums[k][:8])
	}
	_, err = checksums(context.Background(), tree, append(names, "none"))
	fmt.Println(err != nil)
}

// Output:
// empty        e3b0c44298fc1c14
// abc          ba7816bf8f01cfea
// hello, world 09ca7e4eaa6e8ae9
// one          7692c3ad3540bb80
// two          3fc4ccfe745870e2
// three        8b5b9db0c13db242
// true
