package player

import (
	"strings"
	"testing"
	"unicode"

	"checkpointlab/scenarios"
)

// How fast a reader reads: English words and Korean characters a minute.
const wordsAMinute, charactersAMinute = 200, 500

// longestWalk is s from a scenario's question to having understood its answer.
const longestWalk = 90

// A reader answers a scenario's question, sees its run at the speed that it opens with, slow motion included, and reads what it
// has shown, in no more than a minute and a half. What it says is whole: no number is missing.
func TestAScenarioTakesAMinuteAndAHalf(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := New("en")
			p.Load(name)
			finish(t, p)
			s, plays := p.scenario, played(p)
			if s.Predict == nil || len(s.Tasks) == 0 || len(s.Knobs) < 2 || len(s.Moments) == 0 {
				t.Fatal("it has no prediction, no task, no moment or fewer than two settings in front")
			}
			for _, lang := range []string{"en", "ko"} {
				p.Lang(lang)
				finish(t, p)
				explained := p.State().Explain
				if strings.ContainsAny(explained, "{}–") {
					t.Errorf("%s: a number is missing: %s", lang, explained)
				}
				texts := []string{s.Question[lang], s.Predict.Ask[lang], s.Predict.Why[lang], explained}
				for _, c := range s.Predict.Choices {
					texts = append(texts, c[lang])
				}
				if walk := plays + reading(lang, texts); walk > longestWalk {
					t.Errorf("%s: it takes %.0f s, of which it plays for %.0f", lang, walk, plays)
				}
			}
		})
	}
}

// played is how many seconds a computed run plays from its start to its end.
func played(p *Player) float64 {
	const frame = 16 // ms
	p.Seek(0)
	p.Play()
	now := 1000.0
	for p.Tick(now, looks(1)); p.playing; p.Tick(now, looks(1)) {
		now += frame
	}
	return now/1000 - 1
}

// reading is how many seconds it takes to read texts.
func reading(lang string, texts []string) (s float64) {
	for _, text := range texts {
		if lang == "en" {
			s += 60.0 / wordsAMinute * float64(len(strings.Fields(text)))
			continue
		}
		for _, r := range text {
			if !unicode.IsSpace(r) {
				s += 60.0 / charactersAMinute
			}
		}
	}
	return s
}
