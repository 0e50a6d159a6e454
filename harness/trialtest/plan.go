package trialtest

import (
	"fmt"
	"testing"

	"ocr/apps/trial"
	"ocr/edt/edttest"
	"ocr/internal/proof/testrun"
	"ocr/runtime/finding"
)

// A Plan lists the problems with which an app is tested. Each list may be empty. Validate must accept all but Refused.
type Plan[C interface{ Validate() error }, A trial.App] struct {
	New   func(C) A
	Spoil func(A) // changes a result that Verify has accepted, so that the next run must write its own; nil for nothing

	Valid      []C // Validate accepts them
	Forms      []C // in all forms: see [Forms]
	Checked    []C // in check mode: see [Checked]
	Expected   []finding.Kind
	Explored   []C // in 300 orders each: by one worker, by three, and without equivalent orders; see [Explore]
	Incomplete []C // cancelled: see [Incomplete]
	Ranks      []C // over ranks, and each rank has its share: see [Ranks]

	Refused map[string]C // by the text of Validate's error
}

// Test runs all tests of the plan.
func (p Plan[C, A]) Test(t *testing.T) {
	each := func(name string, of []C, test func(t *testing.T, cfg C)) {
		for _, cfg := range of {
			t.Run(fmt.Sprintf("%s/%v", name, cfg), func(t *testing.T) {
				testrun.OK(t, cfg.Validate())
				test(t, cfg)
			})
		}
	}
	each("valid", p.Valid, func(*testing.T, C) {})
	each("forms", p.Forms, func(t *testing.T, cfg C) { Forms(t, p.app(cfg)) })
	each("checked", p.Checked, func(t *testing.T, cfg C) { Checked(t, p.app(cfg), p.Expected...) })
	each("explored", p.Explored, func(t *testing.T, cfg C) {
		for _, opts := range [][]edttest.Option{{}, {edttest.Workers(3)}, {edttest.Pruned()}} {
			for k := range graphs(p.app(cfg)) {
				Explore(t, func() trial.App { return graphs(p.app(cfg))[k] }, append(opts, edttest.MaxSchedules(300))...)
			}
		}
	})
	each("incomplete", p.Incomplete, func(t *testing.T, cfg C) { Incomplete(t, p.New(cfg)) })
	each("ranks", p.Ranks, func(t *testing.T, cfg C) { Ranks(t, p.app(cfg), true) })
	for want, cfg := range p.Refused {
		if err := cfg.Validate(); err == nil || err.Error() != want {
			t.Errorf("%+v: Validate says %v, want %s", cfg, err, want)
		}
	}
}

// app returns an App whose result is spoilt after it has been verified.
func (p Plan[C, A]) app(cfg C) trial.App {
	app := p.New(cfg)
	return spoilt{app, func() {
		if p.Spoil != nil {
			p.Spoil(app)
		}
	}}
}

type spoilt struct {
	trial.App
	spoil func()
}

func (s spoilt) Verify() error {
	defer s.spoil()
	return s.App.Verify()
}
