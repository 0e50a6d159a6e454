package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ocr/internal/machine"
)

func (s *Session) versionCommand() *cobra.Command {
	b := machine.ReadBuild()
	return s.factCommand("version", "Print the version, commit and compiler of this build", func(w io.Writer) error {
		_, err := fmt.Fprintln(w, b.Line(s.Name))
		return err
	}, func() any { return b })
}
