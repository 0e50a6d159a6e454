package main

import (
	"fmt"
	"io"
	goruntime "runtime"

	"github.com/spf13/cobra"

	"ocr/internal/machine"
)

func (s *session) versionCommand() *cobra.Command {
	b := machine.ReadBuild()
	return s.factCommand("version", "Print the version, commit and compiler of this build", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, versionLine(b))
		return err
	}, func() any { return b })
}

func versionLine(b machine.Build) string {
	commit := b.Commit
	if b.Dirty {
		commit += " (dirty)"
	}
	return fmt.Sprintf("ocrbench %s, commit %s, %s, %s/%s", b.Version, commit, b.Go, goruntime.GOOS, goruntime.GOARCH)
}
