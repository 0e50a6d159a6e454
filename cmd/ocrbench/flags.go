package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/report"
)

// maxWorkers bounds --workers: far above the largest machine, low enough that
// the threads can be had.
const maxWorkers = 4096

// maxSamples bounds --samples and --warmup.
const maxSamples = 1_000_000

// options are the flags that commands have in common.
type options struct {
	workers    int    // 0: one for each processor
	cpus       string // Linux list; empty: all of the mask
	bind       string
	samples    int
	warmup     int
	sampleTime time.Duration
	noVerify   bool
	seed       uint64
	format     string
	output     string
	quiet      bool
	check      bool
	env        []string // NAME=VALUE of the variables that set a default
}

// envKey annotates a flag with the name of its environment twin.
const envKey = "ocrbench_env"

// twin gives flags of fs their environment twins: OCRBENCH_ and the long name.
func twin(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := fs.Lookup(name)
		env := "OCRBENCH_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		flag.Annotations = map[string][]string{envKey: {env}}
		flag.Usage += " [" + env + "]"
	}
}

// applyEnv sets the flags that were not given from their environment twins, or to the
// command's own default: commands share the options, and each sets them as it defines
// its flags.
func (s *session) applyEnv(cmd *cobra.Command, _ []string) error {
	var bad error
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		names := flag.Annotations[envKey]
		if bad != nil || len(names) == 0 || flag.Changed {
			return
		}
		value, ok := s.lookupEnv(names[0])
		if !ok || value == "" {
			if flag.DefValue != "" {
				bad = flag.Value.Set(flag.DefValue)
			}
			return
		}
		if err := flag.Value.Set(value); err != nil {
			bad = badValue(names[0], value, flag, err)
			return
		}
		s.options.env = append(s.options.env, names[0]+"="+value)
	})
	return bad
}

// source names where the value of a common flag came from, for an error about it.
func (s *session) source(cmd *cobra.Command, name string) string {
	flag := cmd.Flags().Lookup(name)
	env := flag.Annotations[envKey][0]
	if value, ok := s.lookupEnv(env); ok && value != "" && !flag.Changed {
		return env
	}
	return s.spelling(flag)
}

// workerFlags are the flags of every command that has a worker pool.
func (s *session) workerFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&count{&s.options.workers, 1, maxWorkers}, "workers", "workers in the pool (default: the processors allowed)")
	twin(fs, "workers")
	s.placementFlags(cmd)
}

// placementFlags say where workers go.
func (s *session) placementFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&s.options.cpus, "cpus", "", "`LIST` of processors to use, as 0-3,8 (default: all allowed)")
	s.choiceVar(cmd, &s.options.bind, "bind", "compact", binds(), "pin workers near each other, far apart, or not at all")
	twin(fs, "cpus", "bind")
}

// sampleFlags are the flags of every command that measures.
func (s *session) sampleFlags(cmd *cobra.Command) {
	fs := cmd.Flags()
	s.options.samples, s.options.warmup = 10, 1
	fs.Var(&count{&s.options.samples, 1, maxSamples}, "samples", "samples of each form that are kept")
	fs.Var(&count{&s.options.warmup, 0, maxSamples}, "warmup", "samples of each form that are taken and dropped first")
	s.options.sampleTime = 10 * time.Millisecond
	fs.Var(&span{&s.options.sampleTime, time.Microsecond, time.Minute}, "sample-time", "shortest timed part of a sample; runs repeat until it is reached")
	fs.BoolVar(&s.options.noVerify, "no-verify", false, "do not check the results")
	s.options.seed = 1
	fs.Var(&seed{&s.options.seed}, "seed", "seed of everything that is drawn, as the order of the forms")
	twin(fs, "samples", "warmup", "sample-time", "no-verify", "seed")
}

// outputFlags are the flags of every command that writes results.
func (s *session) outputFlags(cmd *cobra.Command, formats ...string) {
	fs := cmd.Flags()
	s.choiceVar(cmd, &s.options.format, "format", formats[0], formats, "form of the results")
	fs.StringVarP(&s.options.output, "output", "o", "", "write the results to `FILE`, which is replaced only once they are there")
	fs.BoolVar(&s.options.quiet, "quiet", false, "no progress and no warnings on standard error")
	twin(fs, "format", "output", "quiet")
}

// choiceVar defines a flag that takes one of a few words, and its completion.
func (s *session) choiceVar(cmd *cobra.Command, p *string, name, value string, allowed []string, usage string) {
	*p = value
	cmd.Flags().Var(&choice{p, allowed}, name, usage+": "+strings.Join(allowed, ", "))
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return allowed, cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was defined two lines above
	}
}

func binds() []string { return []string{"compact", "scatter", "none"} }

// settings returns the common part of the recorded configuration.
func (o *options) settings(p *pool) report.Config {
	return append(report.Config{
		{Key: "workers", Value: p.workers},
		{Key: "cpus", Value: p.cpuList()},
		{Key: "bind", Value: o.bind},
		{Key: "verify", Value: !o.noVerify},
		{Key: "seed", Value: o.seed},
		{Key: "samples", Value: o.samples},
		{Key: "warmup", Value: o.warmup},
		{Key: "sample-time", Value: o.sampleTime.String()},
		{Key: "env", Value: strings.Join(o.env, " ")},
	}, o.checkSetting()...)
}

// checkSetting records check mode where it is on.
func (o *options) checkSetting() report.Config {
	if !o.check {
		return nil
	}
	return report.Config{{Key: "check", Value: true}}
}
