package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ocr/internal/command"
)

// A Command is one of a program's commands. [New] makes them.
type Command interface {
	// About returns the command's name, and the line about it that lists and help have.
	About() (name, short string)
}

// Main carries out the command line of the process with these commands, and ends the process. The program's name is
// that of its file.
func Main(commands ...Command) {
	p := command.Program{Name: strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")}
	for _, c := range commands {
		made, ok := c.(*command.Command)
		if !ok {
			panic(fmt.Sprintf("harness: a %T is no command that New has made", c))
		}
		p.Commands = append(p.Commands, made)
	}
	os.Exit(p.Main())
}
