package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ocr/internal/machine"
)

func (s *session) versionCommand() *cobra.Command {
	b := machine.ReadBuild()
	return s.factCommand("version", "Print the version, commit and compiler of this build", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, b)
		return err
	}, func() any { return b })
}
