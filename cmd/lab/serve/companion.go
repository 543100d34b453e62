package serve

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"checkpointlab/web/companion"
	"checkpointlab/web/texts"
)

// companionPage is the page whose text web/companion makes.
const companionPage = "index.html"

// withCompanion puts the text at its places in the page. It is made anew when the sources, a scenario or the list of limits
// have changed: its tables hold what runs come to.
func withCompanion(root, page string, words *texts.Table) (string, error) {
	limits := filepath.Join(root, "docs", "fidelity.md")
	k, err := keep(root, "./web/companion")
	if err != nil {
		return "", err
	}
	dir, err := k.piece("companion-"+words.Lang(), append(scenarioFiles(root), limits), func(dir string) error { return writeCompanion(dir, limits, words) })
	if err != nil {
		return "", err
	}
	for _, place := range places {
		text, err := os.ReadFile(filepath.Join(dir, place))
		if err != nil {
			return "", err
		}
		if page, err = fill(companionPage, page, "companion: "+place, text); err != nil {
			return "", err
		}
	}
	return page, nil
}

// fill puts a text at its place in a page of web/.
func fill(name, page, place string, text []byte) (string, error) {
	mark := "<!-- " + place + " -->"
	if !strings.Contains(page, mark+"\n") {
		return "", fmt.Errorf("web/%s lacks the place %s", name, mark)
	}
	return strings.Replace(page, mark+"\n", string(text), 1), nil
}

// places are the parts of the text, as the page and the kept files name them.
var places = []string{"contents", "sections", "back"}

// writeCompanion makes the text, a file for each place.
func writeCompanion(dir, limits string, words *texts.Table) error {
	fidelity, err := os.ReadFile(limits)
	if err != nil {
		return fmt.Errorf("the page lists the lab's limits: %w", err)
	}
	text, err := companion.Build(words, string(fidelity))
	if err != nil {
		return err
	}
	for i, part := range []string{text.Contents, text.Sections, text.Back} {
		if err := os.WriteFile(filepath.Join(dir, places[i]), []byte(part), 0o644); err != nil {
			return err
		}
	}
	return nil
}
