// Package nqueens counts the ways in which n queens can stand on a board so that none attacks another: a
// tree of EDTs that nobody knows before, and a sum over its leaves by package par.
//
//	app := nqueens.New(nqueens.Defaults())
//	err := runtime.Run(ctx, app.Main())
//	if err == nil {
//		err = app.Verify()
//	}
package nqueens
