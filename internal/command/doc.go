// Package command is what commands that run graphs are made of: a [Program] with its subcommands, a [Session] of it,
// and the [Flags] that subcommands have in common, which become a [testbed.Bed] and a [testbed.Output].
//
// Package ocr/harness is its public face. A [Command] for a suite of measurements has a Make of its own:
//
//	cmd := &cobra.Command{...}
//	f := s.FlagsOf(cmd)
//	f.WorkerFlags()
//	f.SampleFlags()
//	f.DocumentFlags()
//	f.RunFlags(command.Aptness{})
//	cmd.RunE = f.Run(func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
//		d, err := suite.Run(ctx, bed, cfg)
//		return out.Write(d, err)
//	})
//
// What every program has beside its own, as compare, is in the list tools.
package command
