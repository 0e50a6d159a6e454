// Package c2c measures core-to-core transfers: the app c2c in its forms, and the same loops in C, in trials that take
// turns, for a pair of processors or for all.
package c2c
