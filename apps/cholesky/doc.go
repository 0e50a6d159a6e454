// Package cholesky factors a symmetric, positive definite matrix by tiles, A = L*L^T: a static graph of four kinds of
// tasks. It shows how a result goes to many readers (a counted event), how a block goes from writer to writer, and
// placement with priorities.
package cholesky
