// Package hello is a first program: one EDT for each name it is given greets that
// name, in order. It shows main and its arguments, a template with a parameter, a
// data block and a sticky event, and it destroys what it makes.
//
//	err := runtime.Run(ctx, hello.New(os.Stdout), runtime.Argv("hello", "Ada", "Grace"))
package hello
