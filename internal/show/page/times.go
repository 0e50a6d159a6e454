package page

import (
	"encoding/json"
	"strconv"

	"ocr/internal/show/report"
)

// workerTime is how a worker spent an observed run, in percent.
type workerTime struct {
	Name  string
	Parts []timePart
}

type timePart struct {
	Name  string
	Color int
	Share float64
}

// workerTimes reads the workers of the statistics; none if they are not there.
func workerTimes(stats *report.Stats) []workerTime {
	var of struct {
		Workers []struct {
			Body     float64 `json:"body-ns"`
			Runtime  float64 `json:"runtime-ns"`
			Spinning float64 `json:"spinning-ns"`
			Parked   float64 `json:"parked-ns"`
		} `json:"workers"`
	}
	raw, err := json.Marshal(stats.Value)
	if err != nil || json.Unmarshal(raw, &of) != nil {
		return nil
	}
	var list []workerTime
	for i, w := range of.Workers {
		sum := w.Body + w.Runtime + w.Spinning + w.Parked
		if !(sum > 0) {
			continue
		}
		list = append(list, workerTime{"worker " + strconv.Itoa(i), []timePart{
			{"body", 2, 100 * w.Body / sum}, {"runtime", 1, 100 * w.Runtime / sum},
			{"spinning", 4, 100 * w.Spinning / sum}, {"parked", 7, 100 * w.Parked / sum},
		}})
	}
	return list
}
