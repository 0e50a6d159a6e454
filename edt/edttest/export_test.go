package edttest

// ParseSchedule is parseSchedule, for tests.
var ParseSchedule = parseSchedule
