package trial

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"ocr/internal/proof/testrun"
)

// TestEndUnless: a run whose context is done has no result, and returns the cause.
func TestEndUnless(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var k Clock
	k.Begin()
	if err := k.EndUnless(ctx); err != nil || !k.Ended() {
		t.Errorf("error %v, ended %v", err, k.Ended())
	}
	why := errors.New("enough")
	cancel(why)
	k.Begin()
	if err := k.EndUnless(ctx); err != why || k.Ended() {
		t.Errorf("cancelled: error %v, ended %v", err, k.Ended())
	}
}

func TestConfigErrors(t *testing.T) {
	about := Range("strips", 0, 1, 9)
	about.About, about.Reason = "of columns", "there is no run without"
	for want, e := range map[string]*ConfigError{
		"app: --pes 10: must be 1..9":                           Range("pes", 10, 1, 9),
		"app: --pes 0: must be 1..9":                            Range("pes", 0, 1, 9),
		`app: --form "lost": must be direct, edt`:               OneOf("form", "lost", "direct", "edt"),
		"app: --limit 0: must be above 0":                       Refuse(true, "limit", 0, "above 0"),
		"app: --tile 9: must be 10..20: at most 3 tiles a side": Tile(9, 28, 20, 3),
		"app: --tile 21: must be 1..20: at most 3 tiles a side": Tile(21, 3, 20, 3),
		"app: --width 8: too much: must be less, with the other flags as they are": TooLarge("too much",
			Parameter{Flag: "steps", Value: 100, Usual: 100}, Parameter{Flag: "width", Value: 8, Usual: 4},
			Parameter{Flag: "radix", Value: 5, Usual: 3}),
		"app: --strips 0 (of columns): there is no run without: must be 1..9": about,
	} {
		testrun.Equal(t, want, fmt.Sprint(First("app", nil, e, Range("later", 5, 1, 2))), "error")
	}
	testrun.Equal(t, "--strips 0x0 (of columns): there is no run without: must be 1..9", about.Line("0x0"))
	testrun.OK(t, First("app", Range("pes", 1, 1, 9), Range("pes", 9, 1, 9), OneOf("width", 4, 2, 4),
		Refuse(false, "x", 0, ""), Tile(10, 28, 20, 3)), "about what is allowed")
}

func TestVerifyError(t *testing.T) {
	const want = "app: wrong result: after timestep 3: A(24,49): got 220, expected 219"
	testrun.Equal(t, want, Wrong("app", "after timestep 3: A(24,49)", 220, 219).Error())
	for _, e := range []*VerifyError{Wrong("app", "after timestep 3: A(24,49)", 220, 219), Wrong("", "", "", "")} {
		text, err := e.MarshalText()
		var got VerifyError
		if again := got.UnmarshalText(text); err != nil || again != nil || got != *e {
			t.Errorf("%v of %q: %v, %v, want %v", got, text, err, again, e)
		}
	}
	if err := new(VerifyError).UnmarshalText([]byte("app")); err == nil {
		t.Error("a text that is no VerifyError")
	}
}
