package cases_test

import (
	"testing"

	"checkpointlab/ops/cases"
	"checkpointlab/ops/fidelity"
)

// Every case that runs comes to what is asked of it, so that its trap is not what the lab says.
func TestCases(t *testing.T) {
	all, err := cases.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	checked, err := fidelity.Expectations(all, 1, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range fidelity.BrokenExpectations(checked) {
		t.Error(line)
	}
}

// No case is both run and left to files, and each says what is asked.
func TestCasesAreToldOnce(t *testing.T) {
	seen := map[string]bool{}
	running, err := cases.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range running {
		id := s.Name[len("ops/cases/") : len(s.Name)-len(".yaml")]
		seen[id] = true
		if s.Title["en"] == "" || s.Question["en"] == "" || len(s.Sources) == 0 {
			t.Errorf("%s lacks its title, its question or its sources", s.Name)
		}
		for _, e := range s.Expect {
			if e.Source == "" {
				t.Errorf("%s: an expectation of %s%s%s does not say what was asked", s.Name, e.Measure, e.Refused, e.Note)
			}
		}
	}
	left, err := cases.OfFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range left {
		if seen[c.ID] || c.ID == "" || c.Title == "" || c.Asked == "" || c.Left == "" {
			t.Errorf("case %q of files.yaml is told twice or not whole", c.ID)
		}
		seen[c.ID] = true
	}
}
