package truth

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// What is read as the recording program, or its JSON library, takes or writes it, and what is not known.

// Number is a JSON number that may be the text "NaN"; null is none.
type Number float64

// UnmarshalJSON reads a number; any text is not a number.
func (n *Number) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' || string(b) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// UnmarshalJSON reads a checkpoint; what it does not tell is not a number.
func (c *Checkpoint) UnmarshalJSON(b []byte) error {
	type checkpoint Checkpoint
	none := Number(math.NaN())
	*c = Checkpoint{Duration: none, Size: none, Full: none}
	return json.Unmarshal(b, (*checkpoint)(c))
}

// UnmarshalJSON reads a subtask; what it does not tell is not a number.
func (s *Subtask) UnmarshalJSON(b []byte) error {
	type subtask Subtask
	none := Number(math.NaN())
	*s = Subtask{StartDelay: none, Alignment: none, Processed: none, Persisted: none}
	return json.Unmarshal(b, (*subtask)(s))
}

// UnmarshalJSON reads a setting as the recording program does (JsonNode.asInt and asDouble): a number may be a text or true, where
// whole ones are asked for a fraction is cut off, null is 0, and an option's value may be any JSON value, of which the text counts.
func (s *Setting) UnmarshalJSON(b []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil {
		return err
	}
	fields := reflect.TypeFor[Setting]()
	unknown := unknownKeys(keys, fields)
	for _, key := range unknown {
		delete(keys, key) // a field would take it in spite of other capitals
	}
	for i := range fields.NumField() {
		f := fields.Field(i)
		key := f.Tag.Get("json")
		raw, told := keys[key]
		if !told {
			continue
		}
		var err error
		if keys[key], err = loose(raw, f.Type); err != nil {
			return fmt.Errorf("setting.%s is %s; give %w", key, raw, err)
		}
	}
	plain, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	type setting Setting
	if err := json.Unmarshal(plain, (*setting)(s)); err != nil {
		return err
	}
	s.Unknown = unknown
	return nil
}

// loose is a value in the form that a field of this type takes.
func loose(raw json.RawMessage, t reflect.Type) (json.RawMessage, error) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Float64:
		n, err := number(raw)
		return strconv.AppendFloat(nil, n, 'g', -1, 64), err
	case reflect.Int, reflect.Int32, reflect.Int64:
		n, err := number(raw)
		if err == nil && math.Abs(n) > math.MaxInt32 {
			err = fmt.Errorf("at most %d", math.MaxInt32)
		}
		return strconv.AppendInt(nil, int64(n), 10), err
	case reflect.String:
		return text(raw), nil
	case reflect.Map:
		return texts(raw)
	}
	return raw, nil
}

func number(raw json.RawMessage) (float64, error) {
	switch text := string(raw); {
	case text == "null" || text == "false":
		return 0, nil
	case text == "true":
		return 1, nil
	default:
		n, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(text, `"`)), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return 0, fmt.Errorf("a number")
		}
		return n, nil
	}
}

// texts are options with their values as texts.
func texts(raw json.RawMessage) (json.RawMessage, error) {
	var options map[string]json.RawMessage
	if err := json.Unmarshal(raw, &options); err != nil {
		return raw, fmt.Errorf("an object of options")
	}
	for key, raw := range options {
		options[key] = text(raw)
	}
	return json.Marshal(options)
}

func text(raw json.RawMessage) json.RawMessage {
	if raw[0] != '"' {
		raw, _ = json.Marshal(string(raw))
	}
	return raw
}

// uncompared are what the recording program writes beside the fields that are read, by where it stands.
var uncompared = map[string][]string{
	"checkpoints": {"checkpoint_type", "trigger_timestamp", "processed_data", "persisted_data", "num_acknowledged_subtasks", "num_subtasks", "failure_message"},
	"subtasks":    {"sync", "async", "e2e", "unaligned", "size"},
	"metrics":     {"estimatedTimeToConsumeBuffersMs"},
}

// unknownOf lists, sorted, what stands in a run that was read and is known by no name: it is compared with nothing.
func unknownOf(line string) []string {
	var run struct {
		Failure     map[string]json.RawMessage
		Checkpoints []map[string]json.RawMessage
		Mean        map[string]map[string]json.RawMessage `json:"metrics_mean"`
		PerSecond   map[string]map[string]json.RawMessage `json:"per_second_sum_over_subtasks"`
	}
	var top map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &top) != nil || json.Unmarshal([]byte(line), &run) != nil {
		return nil
	}
	found := map[string]bool{}
	note := func(where string, keys []string) {
		for _, k := range keys {
			found[where+k] = true
		}
	}
	note("", unknownKeys(top, reflect.TypeFor[Run]()))
	note("failure.", unknownKeys(run.Failure, reflect.TypeFor[Failure]()))
	for _, c := range run.Checkpoints {
		var vertices map[string][]map[string]json.RawMessage
		_ = json.Unmarshal(c["vertices"], &vertices) // absent, or refused where it is read
		note("checkpoints.", unknownKeys(c, reflect.TypeFor[Checkpoint](), uncompared["checkpoints"]...))
		for _, subtasks := range vertices {
			for _, s := range subtasks {
				note("checkpoints.vertices.", unknownKeys(s, reflect.TypeFor[Subtask](), uncompared["subtasks"]...))
			}
		}
	}
	for _, metrics := range run.Mean {
		note("metrics_mean.", uncomparedMetrics(metrics, gaugeClass))
	}
	for _, metrics := range run.PerSecond {
		note("per_second_sum_over_subtasks.", uncomparedMetrics(metrics, counterClass))
	}
	return slices.Sorted(maps.Keys(found))
}

// uncomparedMetrics are those of no class that are not known to be of none.
func uncomparedMetrics(metrics map[string]json.RawMessage, class func(string) string) (names []string) {
	for m := range metrics {
		if class(m) == "" && !slices.Contains(uncompared["metrics"], shortName(m)) {
			names = append(names, m)
		}
	}
	return names
}

// unknownKeys lists the keys that a struct has no field for, and that are not known beside, sorted.
func unknownKeys(keys map[string]json.RawMessage, fields reflect.Type, beside ...string) []string {
	var unknown []string
	for k := range keys {
		known := slices.Contains(beside, k)
		for i := range fields.NumField() {
			known = known || fields.Field(i).Tag.Get("json") == k
		}
		if !known {
			unknown = append(unknown, k)
		}
	}
	slices.Sort(unknown)
	return unknown
}
