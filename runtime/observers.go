package runtime

import "ocr/edt"

// An ObserverKind makes observers on each rank of a run over [Ranks]. Keep it in a variable of a package, so that all
// ranks have it.
type ObserverKind struct {
	name   string // "" for [Observe]: other ranks do not have the kind
	newRun NewObservers
}

// NewObservers makes the observers of one run on a rank other than 0: newObserver makes the observer of a worker. When
// the rank has left the run, it calls end as it calls the functions of [AtEnd]. end may be nil.
type NewObservers func(config string) (newObserver func(*edt.Worker) edt.Observer, end func(Report, error))

var observerKinds = map[string]*ObserverKind{}

// NewObserverKind makes a kind of observers with a unique name. Call it before main begins. At the start of an observed
// run each rank but 0 calls newRun with the config of rank 0, then the returned newObserver for each worker, and last
// for the courier (see [edt.Worker.Observed]).
func NewObserverKind(name string, newRun NewObservers) *ObserverKind {
	k := &ObserverKind{name, newRun}
	observerKinds[name] = k
	return k
}

// Observe is the option [Observe] for a run that may have several ranks. newObserver makes the observers of this rank;
// the other ranks make theirs from config, by the NewObservers of the kind.
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

// planned makes the observers of a rank other than 0, and the functions to call at the end of the run.
func planned(plans []observerPlan) (all []observing, ends []func(Report, error)) {
	for _, p := range plans {
		k := observerKinds[p.Kind]
		newObserver, end := k.newRun(p.Config)
		all = append(all, observing{k, p.Config, newObserver})
		if end != nil {
			ends = append(ends, end)
		}
	}
	return all, ends
}
