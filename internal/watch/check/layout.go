package check

import (
	"reflect"
	"strings"
	"sync"
)

// A layout has the first bytes of all numbers in a block whose element type is known: an EDT that has changed one byte
// of a number has written all of it. It has one bit for each byte of each word; no number crosses a word.
type layout struct {
	head  []byte // of the words of what the block begins with
	cycle []byte // of the words behind that, again and again
}

// bytesAlone is the layout of a word of bytes.
const bytesAlone = 0xFF

// largestCycle bounds the words of a layout.
const largestCycle = 1 << 13

// layouts caches the layouts of types.
var layouts sync.Map

// layoutOf returns the layout of a block of such elements, nil if the type is not known or too large.
func layoutOf(t reflect.Type) *layout {
	if t == nil || t.Size() == 0 || t.Size() > largestCycle*word {
		return nil
	}
	if l, ok := layouts.Load(t); ok {
		return l.(*layout)
	}
	l, _ := layouts.LoadOrStore(t, newLayout(t))
	return l.(*layout)
}

func newLayout(t reflect.Type) *layout {
	if head, rest := headed(t); rest != nil {
		return &layout{cycleOf(head, 1), newLayout(rest).cycle}
	}
	times := 1
	for times*int(t.Size())%word != 0 {
		times *= 2
	}
	return &layout{cycle: cycleOf(t, times)}
}

// headed returns the types of the parts of an [ocr/task.Headed].
func headed(t reflect.Type) (head, rest reflect.Type) {
	if t.Kind() == reflect.Struct && t.PkgPath() == "ocr/task" && strings.HasPrefix(t.Name(), "Headed[") {
		return t.Field(0).Type, t.Field(1).Type.Elem()
	}
	return nil, nil
}

// cycleOf is the layout of times elements of type t.
func cycleOf(t reflect.Type, times int) []byte {
	begins := make([]byte, (times*int(t.Size())+word-1)/word)
	for k := range begins {
		begins[k] = bytesAlone // as padding
	}
	for n := range times {
		addNumbers(begins, t, n*int(t.Size()))
	}
	return begins
}

// addNumbers adds the numbers of a T that begins at byte at.
func addNumbers(begins []byte, t reflect.Type, at int) {
	switch t.Kind() {
	case reflect.Array:
		for n := range t.Len() {
			addNumbers(begins, t.Elem(), at+n*int(t.Elem().Size()))
		}
	case reflect.Struct:
		for n := range t.NumField() {
			addNumbers(begins, t.Field(n).Type, at+int(t.Field(n).Offset))
		}
	case reflect.Complex64, reflect.Complex128:
		addNumber(begins, at, int(t.Size())/2)
		addNumber(begins, at+int(t.Size())/2, int(t.Size())/2)
	default:
		addNumber(begins, at, int(t.Size()))
	}
}

func addNumber(begins []byte, at, size int) {
	for b := at + 1; b < at+size; b++ {
		begins[b/word] &^= 1 << (b % word)
	}
}

// numbers extends a mask of bytes in word w of a block to whole numbers. It returns the mask if the type is not known.
func (l *layout) numbers(w int, bytes byte) byte {
	if l == nil || bytes == 0 {
		return bytes
	}
	begins := byte(0)
	if w < len(l.head) {
		begins = l.head[w]
	} else {
		begins = l.cycle[(w-len(l.head))%len(l.cycle)]
	}
	switch begins {
	case bytesAlone:
		return bytes
	case 1:
		return 0xFF
	}
	all := byte(0)
	for from := 0; from < word; {
		to := from + 1
		for to < word && begins>>to&1 == 0 {
			to++
		}
		if one := byte(1<<to - 1<<from); bytes&one != 0 {
			all |= one
		}
		from = to
	}
	return all
}
