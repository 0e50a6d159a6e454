package compare

import "slices"

// Difference is a fact that is not the same in the two files.
type Difference struct {
	Kind, Key string
	Old, New  string // empty where the file has no such fact
}

// differences lists the facts that differ, those of the machine first. What one
// file says nothing about differs only in the configuration, and where both files
// are ocrbench's, which leaves none out.
func differences(before, after *File) []Difference {
	var found []Difference
	for _, kind := range []string{"machine", "build", "config"} {
		for _, f := range before.Facts {
			other := after.fact(f.Key)
			if f.Kind == kind && other != f.Value && (other != "" || f.must(after)) {
				found = append(found, Difference{kind, f.Key, f.Value, other})
			}
		}
		for _, f := range after.Facts {
			if f.Kind == kind && before.fact(f.Key) == "" && f.must(before) {
				found = append(found, Difference{kind, f.Key, "", f.Value})
			}
		}
	}
	return found
}

// must tells whether it is a difference that the other file does not have f.
func (f *Fact) must(other *File) bool { return f.Kind == "config" && other.ocrbench }

// tell adds a fact, unless it is empty. The last of a key holds, as in Go benchmark
// text.
func (f *File) tell(kind, key, value string) {
	if value = oneLine(value); value == "" {
		return
	}
	if i := f.find(key); i >= 0 {
		f.Facts[i].Value = value
		return
	}
	f.Facts = append(f.Facts, Fact{kind, key, value})
}

func (f *File) find(key string) int {
	return slices.IndexFunc(f.Facts, func(fact Fact) bool { return fact.Key == key })
}

// fact returns the value of a fact, empty where there is none.
func (f *File) fact(key string) string {
	i := f.find(key)
	if i < 0 {
		return ""
	}
	return f.Facts[i].Value
}
