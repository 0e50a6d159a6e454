package pgas

import "ocr/apps/trial"

// now is the clock. A test that must not depend on time has another here.
var now = trial.Now
