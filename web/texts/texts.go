// Package texts is the one home of what the page says, in Korean and in English.
//
// A table maps a key such as "controls.play" to a sentence; ko.json and en.json have the same keys and the same
// placeholders. A placeholder is {name}. In a Korean sentence {name:이/가} adds the particle that fits what was put in:
// the first form after a final consonant, the second after a vowel; digits are read as Korean numerals.
// The pages read the same tables: Build writes the fixed sentences into them.
package texts

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

//go:embed ko.json en.json
var files embed.FS

// Languages lists the tables, the page's own language first.
func Languages() []string { return []string{"ko", "en"} }

// Table is the sentences of one language.
type Table struct {
	lang      string
	sentences map[string]string
}

// Load reads the table of a language of Languages.
func Load(lang string) (*Table, error) {
	data, err := files.ReadFile(lang + ".json")
	if err != nil {
		return nil, fmt.Errorf("no texts in language %q: there are %s", lang, strings.Join(Languages(), " and "))
	}
	t := &Table{lang: lang}
	if err := json.Unmarshal(data, &t.sentences); err != nil {
		return nil, fmt.Errorf("web/texts/%s.json: %w", lang, err)
	}
	return t, nil
}

// Must is Load for a language that is known to be there.
func Must(lang string) *Table {
	t, err := Load(lang)
	if err != nil {
		panic(err)
	}
	return t
}

// Lang is the language of the table.
func (t *Table) Lang() string { return t.lang }

// Keys lists the keys in order.
func (t *Table) Keys() []string { return slices.Sorted(maps.Keys(t.sentences)) }

// Has reports whether there is such a sentence.
func (t *Table) Has(key string) bool {
	_, ok := t.sentences[key]
	return ok
}

// Raw is the sentence with its placeholders; it panics if there is none.
func (t *Table) Raw(key string) string {
	s, ok := t.sentences[key]
	if !ok {
		panic("texts: no sentence " + key + " in " + t.lang)
	}
	return s
}

// Say is the sentence with its placeholders filled from pairs of name and value.
// A missing sentence, an odd number of pairs and a placeholder without a value panic.
func (t *Table) Say(key string, pairs ...string) string {
	return fill(t.Raw(key), key, pairs)
}

func fill(s, key string, pairs []string) string {
	if len(pairs)%2 != 0 {
		panic("texts: " + key + ": a name without a value")
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed {
			panic("texts: " + key + ": { without }")
		}
		name, particle, _ := strings.Cut(name, ":")
		value := lookup(name, key, pairs)
		out.WriteString(value)
		out.WriteString(Particle(value, particle))
		s = after
	}
}

func lookup(name, key string, pairs []string) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == name {
			return pairs[i+1]
		}
	}
	panic("texts: " + key + ": no value for {" + name + "}")
}
