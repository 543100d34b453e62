package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"checkpointlab/core/option"
)

// optionsCmd tells what the lab knows of Flink's options.
type optionsCmd struct {
	Key string `arg:"" optional:"" help:"One option, by today's or an old spelling."`
}

// optionInfo is an option as JSON.
type optionInfo struct {
	Key      string            `json:"key"`
	Type     string            `json:"type,omitempty"`
	Defaults map[string]string `json:"defaults,omitempty"` // by version; "" = none
	Unit     string            `json:"unit,omitempty"`
	Range    string            `json:"range,omitempty"`
	Values   []string          `json:"values,omitempty"`
	Old      []string          `json:"old_spellings,omitempty"`
	Since    string            `json:"since,omitempty"`
	Until    string            `json:"until,omitempty"`
	Renamed  string            `json:"renamed_to,omitempty"`
	Versions []string          `json:"versions,omitempty"` // of a key that the lab does not honour: those that read it
	Modelled bool              `json:"modelled"`
	Effect   string            `json:"effect,omitempty"`
}

// Run lists the options that are in the table, or tells of one key.
func (c *optionsCmd) Run(e *env) error {
	if c.Key != "" {
		info, err := aboutOption(c.Key)
		if err != nil {
			return err
		}
		if e.json {
			return e.printJSON(info)
		}
		return info.text(e)
	}
	all := make([]optionInfo, 0, len(option.All()))
	for i := range option.All() {
		all = append(all, infoOf(&option.All()[i]))
	}
	if e.json {
		return e.printJSON(all)
	}
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "option\ttype\tdefault in 2.3\tacts here")
	for i := range all {
		o := &all[i]
		acts := "no"
		if o.Modelled {
			acts = "yes"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", o.Key, o.Type, orNone(option.All()[i].DefaultIn("2.3")), acts)
	}
	return t.Flush()
}

// aboutOption finds a key in the table, else among all keys that Flink declares, else names the nearest.
func aboutOption(key string) (optionInfo, error) {
	if o, ok := option.Find(key); ok {
		info := infoOf(o)
		if key != o.Key {
			info.Key, info.Renamed = key, o.Key
		}
		return info, nil
	}
	if k, ok := option.Known(key); ok {
		return optionInfo{Key: k.Key, Renamed: k.New, Versions: k.Versions}, nil
	}
	remedy := "lab options lists the ones that the lab knows"
	if near := option.Nearest(key); near != "" {
		remedy = "did you mean " + near + "?"
	}
	return optionInfo{}, fmt.Errorf("%q is not an option of Flink %s; %s", key, strings.Join(option.Versions[:], ", "), remedy)
}

func infoOf(o *option.Option) optionInfo {
	info := optionInfo{
		Key: o.Key, Type: o.Type.String(), Defaults: map[string]string{}, Unit: o.Unit, Range: o.Range, Values: o.Enum, Old: o.Old,
		Since: o.Since, Until: o.Until, Modelled: o.Modelled, Effect: o.Effect["en"],
	}
	for _, v := range option.Versions {
		info.Defaults[v] = o.DefaultIn(v)
	}
	return info
}

func (o *optionInfo) text(e *env) error {
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(t, "%s\t%s\n", name, value)
		}
	}
	line("option", o.Key)
	line("renamed to", o.Renamed)
	line("type", o.Type)
	line("unit", o.Unit)
	line("range", o.Range)
	line("values", strings.Join(o.Values, ", "))
	if o.Defaults != nil {
		for _, v := range option.Versions {
			line("default in "+v, orNone(o.Defaults[v]))
		}
	}
	line("old spellings", strings.Join(o.Old, ", "))
	line("since", o.Since)
	line("until", o.Until)
	line("read by", strings.Join(o.Versions, ", "))
	acts := "no: it is read and named, and changes nothing"
	if o.Modelled {
		acts = "yes"
	}
	line("acts here", acts)
	line("effect", o.Effect)
	return t.Flush()
}

func orNone(v string) string {
	if v == "" {
		return "none"
	}
	return v
}
