package option_test

import (
	"strings"
	"testing"

	"checkpointlab/core/option"
)

func TestShortNamesLeadToOneModelledOptionEach(t *testing.T) {
	names, keys := map[string]bool{}, map[string]bool{}
	for _, s := range option.Shorts() {
		o, ok := option.Find(s.Key)
		if !ok || o.Key != s.Key || !o.Modelled {
			t.Errorf("%s stands for %s, which is no option that acts here under today's spelling", s.Name, s.Key)
		}
		if names[s.Name] || keys[s.Key] {
			t.Errorf("%s or %s is in the table twice", s.Name, s.Key)
		}
		names[s.Name], keys[s.Key] = true, true
		if strings.ContainsAny(s.Name, ".=&") || strings.ToLower(s.Name) != s.Name {
			t.Errorf("%s is not a short name: no dot, no capital", s.Name)
		}
		if key, ok := option.Long(s.Name); !ok || key != s.Key {
			t.Errorf("%s stands for %s, not for %s", s.Name, key, s.Key)
		}
	}
	if _, ok := option.Long("execution"); ok {
		t.Error("a name that is not in the table stands for something")
	}
}
