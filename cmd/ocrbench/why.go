package main

// Why the runs of some commands cannot be had by a schedule: one EDT at a time.
const (
	whyNotScheduled = "its EDTs wait for each other while they run, and a schedule runs them one at a time"
	whyNotTimed     = "it only measures times, which mean nothing under a schedule"
)
