package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"

	"checkpointlab/scenarios"
	"checkpointlab/web/texts"
)

// oembedDir holds the oEmbed answers: NAME.LANG.json for every scenario.
const oembedDir = "oembed"

// Sizes of an embed and of a still in px.
const (
	embedWidth, embedHeight = 960, 540
	stillWidth, stillHeight = 1600, 900
)

// card is an answer of oEmbed 1.0 (oembed.com).
type card struct {
	Version         string `json:"version"`
	Type            string `json:"type"`
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          int    `json:"height"`
	ThumbnailURL    string `json:"thumbnail_url"`
	ThumbnailWidth  int    `json:"thumbnail_width"`
	ThumbnailHeight int    `json:"thumbnail_height"`
	CacheAge        int    `json:"cache_age"` // s
}

// share adds what other pages ask for to show a link: oEmbed answers, and Open Graph tags in the pages.
func (s *site) share(address string) error {
	if address != "" && !strings.HasSuffix(address, "/") {
		address += "/"
	}
	if u, err := url.Parse(address); address != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "") {
		return fmt.Errorf("--url %s is not the address of a site; write one such as https://example.org/lab/", address)
	}
	for _, name := range scenarios.Names() {
		scenario, err := scenarios.Load(name)
		if err != nil {
			return err
		}
		for _, lang := range texts.Languages() {
			data, err := json.MarshalIndent(cardOf(name, lang, scenario.Title[lang], address), "", "  ")
			if err != nil {
				return err
			}
			s.files[oembedDir+"/"+name+"."+lang+".json"] = append(data, '\n')
		}
	}
	s.eachPage(func(name, page string) string {
		if !shown(name) {
			return page
		}
		return strings.Replace(page, "</head>", tags(name, page, address)+"</head>", 1)
	})
	return nil
}

func cardOf(name, lang, title, address string) card {
	src := address + pageName("embed.html", lang) + "?scenario=" + name
	return card{
		Version: "1.0", Type: "rich", Title: title, ProviderName: "Checkpoint Lab", ProviderURL: address + pageName("index.html", lang),
		HTML: fmt.Sprintf(`<iframe src="%s" width="%d" height="%d" title="%s" loading="lazy" style="border:0"></iframe>`,
			html.EscapeString(src), embedWidth, embedHeight, html.EscapeString(title)),
		Width: embedWidth, Height: embedHeight, ThumbnailURL: address + stillsDir + "/" + name + "." + lang + ".png",
		ThumbnailWidth: stillWidth, ThumbnailHeight: stillHeight, CacheAge: 86400,
	}
}

// tags are the Open Graph tags of a page and the link to its oEmbed answer; both show the scenario that a reader sees first.
func tags(name, page, address string) string {
	lang, first := "ko", "backpressure"
	if strings.Contains(page, `<html lang="en"`) {
		lang = "en"
	}
	table := texts.Must(lang)
	var out strings.Builder
	for _, tag := range [][2]string{
		{"og:type", "website"}, {"og:site_name", "Checkpoint Lab"}, {"og:title", table.Raw("page.title")}, {"og:description", table.Raw("page.description")},
		{"og:locale", map[string]string{"ko": "ko_KR", "en": "en_US"}[lang]}, {"og:url", address + name},
		{"og:image", address + stillsDir + "/" + first + "." + lang + ".png"}, {"og:image:width", fmt.Sprint(stillWidth)}, {"og:image:height", fmt.Sprint(stillHeight)},
	} {
		fmt.Fprintf(&out, "<meta property=\"%s\" content=\"%s\">\n", tag[0], html.EscapeString(tag[1]))
	}
	out.WriteString("<meta name=\"twitter:card\" content=\"summary_large_image\">\n")
	fmt.Fprintf(&out, "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"%s%s/%s.%s.json\">\n", html.EscapeString(address), oembedDir, first, lang)
	return out.String()
}
