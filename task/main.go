package task

import (
	"ocr/edt"
	"ocr/guid"
)

// Main makes the main EDT of a program: what runtime.Run is given. The program's arguments, if
// the run has any, are on slot 0 of c.Args(); see [edt.Argv].
func Main(body func(c *edt.Ctx)) edt.Func {
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		body(c)
		return guid.Null
	}
}
