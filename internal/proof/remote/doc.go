// Package remote is for tests of ranks: all graphs of a run are in the process of the test, as they are with a
// [rank.Loop], but each has the engine of another process, which mpirun has started. So programs whose bodies share
// variables of Go run over real processes of MPI.
//
// A rank has a ring to its process, in memory that both have mapped. What it sends goes there, and from there through
// the engine. A message that has come there goes back to the rank, which answers whether its handler has taken it;
// until then the engine's handler waits. So counts of handled messages are those of the engine.
//
// OCR_TEST_RANKS names the program that mpirun starts: a test binary whose TestMain calls [ServeIfAsked], built with
// -tags mpi.
package remote
