// Package hello is a first program in package task: one EDT for each name it is given greets that
// name, in order. It shows main and its arguments, a task with parameters, data blocks, events that
// bring them, and what is said with package edt; and it destroys what it makes.
//
//	err := runtime.Run(ctx, hello.New(os.Stdout), runtime.Argv("hello", "Ada", "Grace"))
package hello
