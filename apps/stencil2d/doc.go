// Package stencil2d relaxes a square grid whose border keeps its values: in each step every point becomes the
// average of its four neighbours, and the residual, the sum of the squares of all changes, is known.
//
// # The graph
//
// The grid is cut into tiles, each in a block of its own with a ring of points around it. There is a
// chain of EDTs for each tile: an EDT does one step, and goes on as the next one (Again). Two neighbours have two
// channel events, one each way, and two halo blocks. An EDT takes what a halo brings into its ring,
// fills the halo with its own side of the new grid, and sends it back.
// So no step waits for all of the grid, and no block is created for a halo.
//
// Each EDT sends the part of the residual that its tile has to another chain of EDTs, one a step, which adds
// them up, always in the order of the tiles: so all forms agree in every bit.
//
// In the recorded form two steps are a graph that is recorded once and run again and again (recorded.go).
package stencil2d
