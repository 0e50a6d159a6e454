// Package remote is for tests of ranks. All graphs of a run are in the process of the test, as with a [rank.Loop]. But
// each uses the engine of another process, which mpirun has started: so programs whose bodies share Go variables run
// over real processes of MPI.
//
// A rank has a connection to its process. The rank sends its messages to the process, which sends them through its
// engine. A message that arrives there is passed to the rank, which answers whether its handler has accepted it; the
// handler of the process's engine waits for the answer. So the counts of handled messages are those of the engine.
//
// OCR_TEST_RANKS is the program that mpirun starts: a test binary whose TestMain calls [ServeIfAsked], built with
// -tags mpi.
package remote
