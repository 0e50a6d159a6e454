// Package remote is for tests of ranks. All graphs of a run are in the process of the test, as with a [rank.Loop], but
// each uses the engine of another process, which mpirun has started. So programs whose bodies share Go variables run
// over real processes of MPI.
//
// A rank has a connection to its process. It sends messages to that process, which sends them through its engine. The
// process passes a message that arrives to the rank, which answers whether its handler has accepted it; the engine's
// handler waits for that. So counts of handled messages are those of the engine.
//
// OCR_TEST_RANKS is the program that mpirun starts: a test binary whose TestMain calls [ServeIfAsked], built with
// -tags mpi.
package remote
