package hello

import (
	"fmt"
	"io"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/task"
)

// A greeting is the parameters of a greet EDT: its number, where in the text its line begins, and the event that
// receives the text.
type greeting struct {
	Number, At int
	Next       task.Event[byte]
}

// greet writes the line that greets a name into the text, and passes the text on.
var greet = task.Define2("hello.greet", func(c *edt.Ctx, g greeting, name task.RO[byte], text task.RW[byte]) {
	copy(text.Slice()[g.At:], line(g.Number, string(name.Slice())))
	name.Destroy(c)
	text.SendTo(c, g.Next)
})

// line returns the line that greets a name, which must end in a newline.
func line(number int, name string) string { return fmt.Sprintf("%d: hello, %s", number, name) }

// New returns the main EDT of a program that writes a line to w for each of its arguments after the first, which is the
// program's name; without such arguments it greets the world.
//
// The text is a block that passes from one greet EDT to the next, in the order of the arguments, and at last to an EDT
// that writes it. The run ends after this EDT: no EDT is left.
func New(w io.Writer) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		names := []string{"world"}
		if argv := edt.Argv(in.Dep(0)); len(argv) > 1 {
			names = argv[1:]
		}
		size := 0
		for k, name := range names {
			size += len(line(k+1, name+"\n"))
		}
		source, at, last := task.Reserve[byte](c, size).From(), 0, task.Event[byte]{}
		for k, name := range names {
			block, bytes := task.Make[byte](c, len(name)+1)
			copy(bytes, name+"\n")
			block.Release(c)

			next := task.Counted[byte](c, 1)
			greet.New(c, greeting{k + 1, at, next}, block.From(), source)
			source, at, last = next.From(), at+len(line(k+1, name+"\n")), next
		}

		// The body is a closure over w, so it needs a template of this run, which package edt makes.
		write := c.NewTemplate("write", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
			fmt.Fprintf(w, "%s", in.Dep(0).Bytes())
			c.DestroyBlock(in.Dep(0).GUID())
			return guid.Null
		})
		c.NewEDT(write, nil, edt.From(last.GUID, datablock.RO))
		c.DestroyTemplate(write)
		return guid.Null
	}
}
