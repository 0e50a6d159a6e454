package runtime

import "ocr/edt"

// An ObserverKind is a kind of observers for runs over [Ranks], which are made on each rank. It is best a variable of a
// package, so that all ranks know it.
type ObserverKind struct {
	name   string // "" if other ranks do not know it
	newRun func(config string) func(*edt.Worker) edt.Observer
}

var observerKinds = map[string]*ObserverKind{}

// NewObserverKind makes a kind of observers with a unique name; it must be called before main begins. At the start of
// an observed run each rank but 0 calls newRun with the config of rank 0. The function that newRun returns is called
// for each worker, and last for the courier: see [edt.Worker.Observed].
func NewObserverKind(name string, newRun func(config string) func(*edt.Worker) edt.Observer) *ObserverKind {
	k := &ObserverKind{name, newRun}
	observerKinds[name] = k
	return k
}

// Observe is the option [Observe] for a run that may have several ranks. newObserver makes the observers of this rank;
// the other ranks make theirs from config.
func (k *ObserverKind) Observe(config string, newObserver func(*edt.Worker) edt.Observer) Option {
	return func(s *settings) {
		switch {
		case newObserver == nil:
			s.refuse("Observe(nil)", "want a function that makes the observer of a worker")
		case k == nil || k.name != "" && k.newRun == nil:
			s.refuse("Observe", "of a nil ObserverKind, or one that was made with nil")
		}
		s.observers = append(s.observers, observing{k, config, newObserver})
	}
}

// An observing is one option Observe.
type observing struct {
	kind        *ObserverKind
	config      string
	newObserver func(*edt.Worker) edt.Observer
}

// An observerPlan is one option Observe, as sent to another rank.
type observerPlan struct{ Kind, Config string }

func (s *settings) observerPlans() (all []observerPlan) {
	for _, o := range s.observers {
		all = append(all, observerPlan{o.kind.name, o.config})
	}
	return all
}

// planned makes the observers of a rank that is not rank 0.
func planned(plans []observerPlan) (all []observing) {
	for _, p := range plans {
		k := observerKinds[p.Kind]
		all = append(all, observing{k, p.Config, k.newRun(p.Config)})
	}
	return all
}

// seesOneRank reports whether an observer exists only on this rank.
func (s *settings) seesOneRank() bool {
	for _, o := range s.observers {
		if o.kind.name == "" {
			return true
		}
	}
	return false
}
