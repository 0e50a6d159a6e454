package edt_test

import (
	"testing"

	"ocr/edt"
)

// The codes have OCR's names and errno's numbers.
func TestCodes(t *testing.T) {
	for code, want := range map[edt.Code]string{
		1: "EPERM", 2: "ENOENT", 12: "ENOMEM", 13: "EACCES", 16: "EBUSY", 22: "EINVAL",
		28: "ENOSPC", 100: "EGUIDEXISTS", 125: "ECANCELED", 77: "Code(77)",
	} {
		if code.Error() != want {
			t.Errorf("code %d is %q, want %q", int(code), code.Error(), want)
		}
	}
}

func TestEventTypeText(t *testing.T) {
	for typ, want := range map[edt.EventType]string{
		edt.Once: "once", edt.Idempotent: "idempotent", edt.Sticky: "sticky", edt.Latch: "latch", edt.Counted: "counted",
		edt.Channel: "channel", edt.Sticky | edt.NoArg: "sticky", 0: "EventType(0)", 99: "EventType(99)",
	} {
		if typ.String() != want {
			t.Errorf("type %d is %q, want %q", uint8(typ), typ, want)
		}
	}
}
