// Package hello is a first program in package task: for each name among its arguments one EDT greets this name, in
// order. It shows main and its arguments, a task with parameters, data blocks, the events that bring them, and a
// template of package edt; and it destroys the objects that it creates.
//
//	err := runtime.Run(ctx, hello.New(os.Stdout), runtime.Argv("hello", "Ada", "Grace"))
package hello
