// Package nqueens counts the ways in which n queens can stand on a board so that none attacks another: a
// tree of EDTs that nobody knows before, and a sum over its leaves. It shows a finish scope, and a block
// in which each worker has an element of its own.
//
//	app := nqueens.New(nqueens.Defaults())
//	err := runtime.Run(ctx, app.Main())
//	if err == nil {
//		err = app.Verify()
//	}
package nqueens
