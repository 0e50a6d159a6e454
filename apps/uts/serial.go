package uts

import "context"

// serial walks the tree by recursion.
func (a *App) serial(ctx context.Context, _ int) error {
	a.Begin()
	tree, n := a.cfg.tree(), root(a.cfg.Seed)
	a.found = Counts{}
	if err := tree.walkUnless(ctx, n, &a.found); err != nil {
		return err
	}
	a.End()
	return nil
}
