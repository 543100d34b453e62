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

// withCompanion puts the text at its places in the page.
func withCompanion(page string, words *texts.Table) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	fidelity, err := os.ReadFile(filepath.Join(root, "docs", "fidelity.md"))
	if err != nil {
		return "", fmt.Errorf("the page lists the lab's limits: %w", err)
	}
	text, err := companion.Build(words, string(fidelity))
	if err != nil {
		return "", err
	}
	for _, place := range []struct{ name, text string }{{"contents", text.Contents}, {"sections", text.Sections}, {"back", text.Back}} {
		mark := "<!-- companion: " + place.name + " -->\n"
		if !strings.Contains(page, mark) {
			return "", fmt.Errorf("web/%s lacks the place %s", companionPage, strings.TrimSpace(mark))
		}
		page = strings.Replace(page, mark, place.text, 1)
	}
	return page, nil
}
