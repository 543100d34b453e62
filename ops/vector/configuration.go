package vector

import (
	"encoding/json"
	"errors"
	"fmt"

	"checkpointlab/core/option"
)

// runConfiguration replays unit configuration: what options come to, by key, once a version of Flink has read them.
func runConfiguration(c Case) (Status, string) {
	var g struct {
		Unit, Version string
		Config        map[string]any // numbers and flags as well as text
		ClusterConfig map[string]any // what holds where config, the job's, says nothing
		Checkpointing *bool          // whether it is on, beside what the options say
	}
	if err := Decode(c.Given, &g); err != nil {
		return Unknown("given", err)
	}
	if len(c.Events) > 0 {
		return Unknown("events", errUnknown)
	}
	pairs := pairsOf(g.Config, g.ClusterConfig)
	if g.Checkpointing != nil && *g.Checkpointing {
		pairs = append(pairs, option.Pair{Key: "execution.checkpointing.interval", Value: "1 s"})
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(c.Expect, &want); err != nil || len(want) == 0 {
		return Unknown("expect", errors.New("nothing is expected"))
	}
	cfg, _, err := option.Resolve(g.Version, pairs)
	if fails, asked := want["error"]; asked {
		if !meansSame(err != nil, fails) {
			return Differ("error", fmt.Sprint(err), string(fails))
		}
		delete(want, "error")
	}
	if err != nil && len(want) > 0 {
		return Differ("the configuration", err, "read")
	}
	for _, key := range sortedKeys(want) {
		if key == "strategy" {
			want["restart-strategy.type"] = want[key]
			delete(want, key)
		}
	}
	for _, key := range sortedKeys(want) {
		if status, diff := comesTo(&cfg, g.Version, key, want[key]); status != Pass {
			return status, diff
		}
	}
	return Pass, ""
}

// pairsOf are the lines of a job's configuration, and of the cluster's those of options that the job does not set.
func pairsOf(config, cluster map[string]any) (pairs []option.Pair) {
	set := map[string]bool{}
	add := func(key string, value any) { pairs = append(pairs, option.Pair{Key: key, Value: fmt.Sprint(value)}) }
	for _, key := range sortedKeys(config) {
		add(key, config[key])
		set[todays(key)] = true
	}
	for _, key := range sortedKeys(cluster) {
		if !set[todays(key)] {
			add(key, cluster[key])
		}
	}
	return pairs
}

// todays is an option's key, whatever its spelling.
func todays(key string) string {
	if o, ok := option.Find(key); ok {
		return o.Key
	}
	return key
}

// comesTo compares what an option has come to with a value as a user would write it.
func comesTo(cfg *option.Config, version, key string, want json.RawMessage) (Status, string) {
	o, ok := option.Find(key)
	if !ok {
		return Unknown(key, fmt.Errorf("no such option; the nearest is %s", option.Nearest(key)))
	}
	if !o.Modelled {
		return Unknown(key, errors.New("the lab does not model it"))
	}
	var value any
	if err := json.Unmarshal(want, &value); err != nil {
		return Unknown(key, err)
	}
	expected := ""
	if value != nil {
		expected = fmt.Sprint(value)
	}
	if read, _, err := option.Resolve(version, []option.Pair{{Key: o.Key, Value: expected}}); err == nil && expected != "" {
		expected = o.Get(&read) // written as the table writes it
	}
	if got := o.Get(cfg); got != expected {
		return Differ(key, got, expected)
	}
	return Pass, ""
}
