package main

import (
	"fmt"
	goruntime "runtime"

	"github.com/spf13/cobra"

	"ocr/internal/machine"
)

func (s *session) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, commit and compiler of this build",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			s.begin()
			_, err := fmt.Fprintln(s.stdio.out, versionLine(machine.ReadBuild()))
			return err
		},
	}
}

func versionLine(b machine.Build) string {
	commit := b.Commit
	if b.Dirty {
		commit += " (dirty)"
	}
	return fmt.Sprintf("ocrbench %s, commit %s, %s, %s/%s", b.Version, commit, b.Go, goruntime.GOOS, goruntime.GOARCH)
}
