// Package pgas is the PGAS micro-benchmark suite on EDTs, after the seed's: latency, bandwidth, strided and random
// transfers and reductions between processing elements (PEs), on the layer of package shmem.
//
//	cfg := pgas.Defaults("putput")
//	cfg.Form, cfg.Sync, cfg.Bytes = pgas.EDT, pgas.Pairwise, 8
//	if err := cfg.Validate(); err != nil { ... } // *trial.ConfigError
//	app := pgas.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(cfg.PEs))
//	result, err := app.Result() // *trial.VerifyError if a byte is wrong
//
// [Tests] lists the tests. Most have two forms, with the same phases, the same transfers and the same verification: in
// [Direct] one EDT per PE runs the loop, in [EDT] every put, get, notification and reduction step is an EDT or an
// event. Only the direct form has put-put and get-get with the flag in the data ([Flag]), because an EDT does not poll,
// and the baselines of the machine: copy (Go's copy) and line (a cache line going to and fro).
//
// docs/pgas.md has each test's timed loop, its formula and when a transfer is complete.
//
// # Files
//
// plan.go says where things lie and transfer.go what moves where, for both forms and verify.go. phase.go has the phases
// of a run and decides how many iterations there are, check.go checks the synchronisation, tally.go keeps what a PE
// measures. direct*.go and flow*.go are the forms.
package pgas
