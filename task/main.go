package task

import (
	"ocr/edt"
	"ocr/guid"
)

// Main makes the main EDT of a program, for runtime.Run. The program's arguments, if the run has any, are on slot 0 of
// c.Args(); see [edt.Argv]. If body is nil Main returns nil, which runtime.Run refuses.
func Main(body func(c *edt.Ctx)) edt.Func {
	if body == nil {
		return nil
	}
	return func(c *edt.Ctx, _ edt.Args) guid.GUID {
		body(c)
		return guid.Null
	}
}
