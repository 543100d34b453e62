package player

// Predict is the scenario's question to answer before the run shows it.
type Predict struct {
	Ask     string   `json:"ask"`
	Choices []string `json:"choices"`
	Chosen  int      `json:"chosen"` // -1 = not answered
	Right   int      `json:"right"`  // -1 as long as it is not answered
	Why     string   `json:"why"`    // once it is answered
}

// Answer chooses one of the answers; one that does not exist takes the answer back.
func (p *Player) Answer(i int) {
	p.chosen = -1
	if q := p.scenario.Predict; q != nil && i >= 0 && i < len(q.Choices) {
		p.chosen = i
	}
	p.clock.news = true
}

// predict is nil when the scenario asks nothing.
func (p *Player) predict() *Predict {
	q := p.scenario.Predict
	if q == nil {
		return nil
	}
	lang := p.words.Lang()
	out := &Predict{Ask: q.Ask[lang], Chosen: p.chosen, Right: -1}
	for _, c := range q.Choices {
		out.Choices = append(out.Choices, c[lang])
	}
	if p.chosen >= 0 {
		out.Right, out.Why = q.Answer, q.Why[lang]
	}
	return out
}
