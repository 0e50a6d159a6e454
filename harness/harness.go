package harness

import (
	"os"
	"path/filepath"
	"strings"

	"ocr/internal/command"
)

// A Command is one of a program's commands. [New] makes them.
type Command = *command.Command

// Main carries out the command line of the process with these commands, and ends the process. The program's name is
// that of its file.
func Main(commands ...Command) {
	os.Exit(command.Program{Name: strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"), Commands: commands}.Main())
}
