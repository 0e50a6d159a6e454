package harness

import (
	"os"

	"ocr/internal/command"
)

// A Command is a command of a program. [New] makes it.
type Command = *command.Command

// Main runs the command line of the process with these commands, and ends the process. The program's name is that
// of its file.
func Main(commands ...Command) {
	os.Exit(command.Main(commands...))
}
