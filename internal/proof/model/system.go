package model

// A Word is a word of shared memory.
type Word int

// Memory is the value of every [Word], as conditions and compound steps see it.
type Memory []int16

// A Condition says what is wrong with a state, "" for nothing.
type Condition func(m Memory) string

// A System is a protocol: shared words, the processes that use them, and what must hold.
type System struct {
	name            string
	names           []string
	initial         Memory
	programs        []*program
	always, finally []Condition
}

// New makes an empty protocol.
func New(name string) *System { return &System{name: name} }

// Word adds a shared word.
func (s *System) Word(name string, initial int) Word {
	s.names = append(s.names, name)
	s.initial = append(s.initial, int16(initial))
	return Word(len(s.names) - 1)
}

// Words adds n shared words that begin at 0.
func (s *System) Words(name string, n int) []Word {
	words := make([]Word, n)
	for k := range words {
		words[k] = s.Word(name+"["+string(rune('0'+k))+"]", 0)
	}
	return words
}

// Go adds a process.
func (s *System) Go(name string, body func(p *Process)) {
	s.programs = append(s.programs, newProgram(name, body))
}

// Always adds a condition for every state.
func (s *System) Always(c Condition) { s.always = append(s.always, c) }

// Finally adds a condition for the states in which all processes have ended.
func (s *System) Finally(c Condition) { s.finally = append(s.finally, c) }
