package companion

import (
	"fmt"
	"strings"
	"sync"

	"checkpointlab/core"
	"checkpointlab/core/option"
	"checkpointlab/scenarios"
)

// run is a scenario with settings, computed to its end.
type run struct {
	scenario *scenarios.Scenario
	lab      *core.Lab
}

var (
	loading sync.Mutex
	loaded  = map[string]*run{} // both languages show the same runs
)

// load computes a scenario with settings.
func load(name string, settings []option.Pair) (*run, error) {
	loading.Lock()
	defer loading.Unlock()
	key := fmt.Sprint(name, settings)
	if r := loaded[key]; r != nil {
		return r, nil
	}
	s, err := scenarios.Load(name)
	if err != nil {
		return nil, err
	}
	if err := s.SetAll(settings); err != nil {
		return nil, err
	}
	lab, err := core.New(s.Setup)
	if err != nil {
		return nil, err
	}
	lab.Advance(s.Setup.Duration, 0)
	loaded[key] = &run{s, lab}
	return loaded[key], nil
}

// settings are the changes in the section's link; t, x and m are not settings.
func (s *Section) settings() []option.Pair { return settingsOf(s.Link) }

func settingsOf(link string) (all []option.Pair) {
	for pair := range strings.SplitSeq(link, "&") {
		key, value, ok := strings.Cut(pair, "=")
		if ok && key != "t" && key != "x" && key != "m" {
			all = append(all, option.Pair{Key: key, Value: value})
		}
	}
	return all
}
