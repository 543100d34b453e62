// Package option is the one table of Flink's options: which the lab honours, how they are spelled, what they mean,
// and the rules between them.
//
// Reading order: Option and All (the table), ParseDuration and ParseSize (Flink's words for values), Resolve (text to Config),
// Find, Known and Nearest (what a key is). The rules are those of spec 1, 2.2, 3.1, 3.7 and of the options that a real 2.3
// refused; defaults, spellings and versions are those that the released jars of 1.18.1, 1.20.1 and 2.3.0 declare.
package option

// Type is the type of an option's value.
type Type uint8

// The types.
const (
	Duration Type = iota // "500 ms", "10 s"
	Size                 // "32 kb"
	Int
	Float
	Bool
	Enum
	Text
)

// String is the type's name as a page shows it.
func (t Type) String() string {
	return [...]string{"duration", "size", "integer", "number", "boolean", "enum", "string"}[t]
}

// Option is one line of the table.
type Option struct {
	Key     string
	Type    Type
	Default string            // in 2.3, or in the last version that has it; "" = none. See DefaultIn
	Unit    string            // "ms", "bytes", "%"; "" for the others
	Range   string            // in words: "10 ms or more"
	Old     []string          // old spellings that are still read, the first wins
	Since   string            // the first of the three versions that has it under any spelling; "" = 1.18 or before
	Until   string            // the last of the three versions that has it; "" = still there
	Enum    []string          // the values of an Enum
	Label   map[string]string // a few words, by language: "en", "ko"
	Effect  map[string]string // one sentence, by language
	// Modelled says whether the value acts in a run. The others are read, named and noted.
	Modelled bool
	Field    string // the field of Config that it sets; "" if not modelled

	set func(*resolver, string) *Mistake
	get func(*Config) string
}

// table is All in order; index finds a line by each of its spellings. Both are made once and never written again.
var (
	table []Option
	index map[string]int
)

// bases are what base makes of each version, for reading.
var bases [len(Versions)]Config

func init() { // not initialisers: the accessors in the table look into the index
	for v := range bases {
		bases[v] = base(v)
	}
	table = buildTable()
	index = buildIndex()
}

func buildTable() []Option {
	var all []Option
	for _, part := range [][]Option{checkpointOptions(), networkOptions(), restartOptions(), jobOptions(), livenessOptions(), stateOptions(), storageOptions(), recoveryOptions(), changelogOptions(), otherOptions()} {
		all = append(all, part...)
	}
	for i := range all {
		o := &all[i]
		o.Since, o.Until = o.versions()
		if o.Modelled {
			o.Default = o.DefaultIn(o.Until)
		}
	}
	return all
}

func buildIndex() map[string]int {
	m := make(map[string]int, 2*len(table))
	for i := range table {
		m[table[i].Key] = i
		for _, old := range table[i].Old {
			m[old] = i
		}
	}
	return m
}

// All is the table: first the options that the lab models, then those that it only knows. The caller must not write into it.
func All() []Option { return table }

// Find is the table's line for a key, also by an old spelling. A key that Flink has but the table lacks is not found: see Known.
func Find(key string) (*Option, bool) {
	i, ok := index[key]
	if !ok {
		return nil, false
	}
	return &table[i], true
}

// Get is the option's value in c as text that Resolve reads back; "" = not set, or not modelled.
func (o *Option) Get(c *Config) string {
	if o.get == nil {
		return ""
	}
	return o.get(c)
}

// DefaultIn is the default in a version ("" = 2.3); "" = none. It panics for a version that the lab does not know.
func (o *Option) DefaultIn(version string) string {
	if o.get == nil {
		return o.Default
	}
	return o.get(&bases[mustVersion(version)])
}

// versions derives Since and Until from the key table.
func (o *Option) versions() (since, until string) {
	mask := 0
	for _, k := range o.spellings() {
		info, _ := Known(k)
		mask |= info.mask
	}
	for v := range Versions {
		if mask&(1<<v) != 0 {
			if until == "" && v > 0 {
				since = Versions[v]
			}
			until = Versions[v]
		}
	}
	if until == Versions[len(Versions)-1] {
		until = ""
	}
	return since, until
}

// spellings are the key and its old ones, in the order in which Flink looks for them.
func (o *Option) spellings() []string { return append([]string{o.Key}, o.Old...) }

// both is a text in the two languages.
func both(en, ko string) map[string]string { return map[string]string{"en": en, "ko": ko} }
