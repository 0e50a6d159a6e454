// Package pgas is the PGAS micro-benchmark suite of the seed (the text from which this project began) on EDTs: latency,
// bandwidth, strided and random transfers and reductions between processing elements (PEs), on package shmem.
//
//	cfg := pgas.Defaults("putput")
//	cfg.Form, cfg.Bytes = pgas.EDT, 64
//	if err := cfg.Validate(); err != nil { ... } // *trial.ConfigError
//	app := pgas.New(cfg)
//	err := runtime.Run(ctx, app.Main(), runtime.Workers(cfg.PEs))
//	result, err := app.Result() // *trial.VerifyError if a byte is wrong
//
// [Tests] lists the tests. They have two forms, with the same phases, transfers and verification: in [Direct] each PE
// is one EDT, which runs the loop; in [EDT] every put, get, notification and step of a reduction is an EDT. Only the
// direct form has put-put with the flag in the data ([Flag]), because an EDT does not poll.
//
// A run fills all segments, checks the synchronisation and warms up; then each PE times N iterations of:
//
//	putget             put, quiet, get back                               t/N, by the origins
//	putput, getget     put (get), sync, sync; partner: sync, put, sync    t/N, by all
//	putput flag        put with its number as last word; wait for the partner's
//	putbw, getbw       a message; a quiet after each put                  M N/t, by the origins; bibw: by all
//	stridedput, -get   elements with a stride at the target; quiet        payload N/t, by the origins
//	randomput, -get    drawn PE and offset; quiet                         M N/t, by all
//	reduce, -inplace   sum to all; setting the operand is not timed       t/N, by all
//
// M is a message's bytes. PE i of P pairs with (i + P/2) mod P; the lower is the origin. t includes one last quiet. A
// sync notifies the partner and waits for its notification: an iteration has two, as in the sources of HPCTools' suite.
//
// The verification is not timed: each PE compares its destination, and the guard bytes around messages, with what
// separate code computes from a description of the last transfers. Messages come from a patterned source, one line
// further on each time. Before the timed part 64 iterations check the synchronisation itself: each PE in turn is 4 us
// late, so a PE that does not wait reads old data.
package pgas
