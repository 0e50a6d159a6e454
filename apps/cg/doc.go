// Package cg solves the problem of the HPCG benchmark by conjugate gradients: a grid of points that are coupled with
// their 26 neighbours. Preconditioner and multigrid are left out, and the matrix is not stored, as it is the same
// everywhere.
//
// It shows an iteration that ends when its numbers say so: tasks that create each other, sums over all slabs in an
// order of their own (so that every form and schedule gives the same bits), and channels that let all go on.
package cg
