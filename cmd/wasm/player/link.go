package player

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"checkpointlab/core/event"
)

// link is a state as an address carries it: #s=chapter&execution.checkpointing.interval=5+s&t=71.2&x=0.1. A scenario that
// was pasted travels whole, packed.
type link struct {
	scenario string      // name of one that the lab has
	document string      // a whole one; "" if it has a name
	changes  [][2]string // key and value, in order
	at       event.Time
	speed    float64       // 0 = not given
	model    string        // the version of the model that made it; "" = not given
	loop     [2]event.Time // a span that plays again and again; 0, 0 = none
	zoom     [2]event.Time // of the time axis
	face     string        // of the plot's panel; "" = the first one
	lanes    []string      // the other lanes of a comparison, a fragment each: what is not given is as in the first
}

// The keys of a link that are not keys of a scenario.
const (
	keyScenario = "s"
	keyDocument = "y"
	keyTime     = "t"
	keySpeed    = "x"
	keyModel    = "m"
	keyLoop     = "l"
	keyZoom     = "z"
	keyFace     = "v"
)

// keysLanes are the keys of the lanes after the first.
var keysLanes = [mostLanes - 1]string{"b", "c", "d"}

// mostParts is more than a scenario has settings.
const mostParts = 500

// longestModel is longer than any version's number.
const longestModel = 40

// mostDocument bounds what a packed scenario unpacks to.
const mostDocument = 1 << 20

func (l *link) String() string {
	var parts []string
	add := func(key, value string) { parts = append(parts, url.QueryEscape(key)+"="+url.QueryEscape(value)) }
	switch {
	case l.document != "":
		add(keyDocument, pack(l.document))
	case l.scenario != "":
		add(keyScenario, l.scenario)
	}
	for _, c := range l.changes {
		add(c[0], c[1])
	}
	for i, lane := range l.lanes {
		add(keysLanes[i], strings.TrimPrefix(lane, "#"))
	}
	if l.at > 0 {
		add(keyTime, secondsText(l.at))
	}
	if l.speed > 0 {
		add(keySpeed, strconv.FormatFloat(l.speed, 'g', -1, 64))
	}
	for _, span := range []struct {
		key string
		at  [2]event.Time
	}{{keyLoop, l.loop}, {keyZoom, l.zoom}} {
		if span.at[1] > span.at[0] {
			add(span.key, secondsText(span.at[0])+"-"+secondsText(span.at[1]))
		}
	}
	if l.face != "" {
		add(keyFace, l.face)
	}
	if l.model != "" {
		add(keyModel, l.model)
	}
	return "#" + strings.Join(parts, "&")
}

// parseLink reads a fragment. Parts that cannot be read are left out and reported in damage; the rest holds.
func parseLink(fragment string) (l link, damage []damaged) {
	parts, damage := partsOf(strings.TrimPrefix(fragment, "#"))
	for _, part := range parts {
		key, value, ok := cutPair(part)
		if !ok {
			damage = append(damage, damaged{part, "link.unreadable"})
			continue
		}
		if key, bad := l.take(key, value); bad != "" {
			damage = append(damage, damaged{key + "=" + value, bad})
		}
	}
	return l, damage
}

// partsOf are the parts of a query or a fragment, as many as anybody means.
func partsOf(text string) (parts []string, damage []damaged) {
	for part := range strings.SplitSeq(text, "&") {
		switch {
		case part == "":
		case len(parts) == mostParts:
			return parts, []damaged{{strconv.Itoa(mostParts), "link.parts"}}
		default:
			parts = append(parts, part)
		}
	}
	return parts, nil
}

// damaged is a part of a link that could not be used, and the text that says why.
type damaged struct{ part, text string }

func cutPair(part string) (key, value string, ok bool) {
	k, v, found := strings.Cut(part, "=")
	key, err1 := url.QueryUnescape(k)
	value, err2 := url.QueryUnescape(v)
	return key, value, found && key != "" && err1 == nil && err2 == nil
}

// take puts one part of a fragment into the link; bad is the text that says what is wrong with it.
func (l *link) take(key, value string) (_, bad string) {
	switch key {
	case keyScenario:
		l.scenario = value
	case keysLanes[0], keysLanes[1], keysLanes[2]:
		l.lanes = append(l.lanes, "#"+value)
	case keyDocument:
		text, err := unpack(value)
		if err != nil {
			return key, "link.document"
		}
		l.document = text
	case keyTime:
		t, ok := parseSeconds(value)
		if !ok {
			return key, "link.time"
		}
		l.at = t
	case keyFace:
		if value != FaceSpace && value != FaceSweep {
			return key, "link.unreadable"
		}
		l.face = value
	case keyLoop, keyZoom:
		from, to, _ := strings.Cut(value, "-")
		a, ok := parseSeconds(from)
		b, too := parseSeconds(to)
		if !ok || !too || a >= b {
			return key, "link.unreadable"
		}
		if key == keyLoop {
			l.loop = [2]event.Time{a, b}
		} else {
			l.zoom = [2]event.Time{a, b}
		}
	case keySpeed:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x > 0 && x < 1e6) {
			return key, "link.speed"
		}
		l.speed = x
	case keyModel:
		if len(value) > longestModel {
			return key, "link.unreadable"
		}
		l.model = value
	default:
		l.changes = append(l.changes, [2]string{key, value})
	}
	return key, ""
}

func secondsText(t event.Time) string {
	return strconv.FormatFloat(float64(t)/float64(event.Second), 'f', -1, 64)
}

func parseSeconds(text string) (event.Time, bool) {
	t, err := strconv.ParseFloat(text, 64)
	return event.Time(t*1e9 + 0.5), err == nil && t >= 0 && t < 1e9
}

func pack(text string) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	_, _ = io.WriteString(w, text)                     // a buffer takes everything
	_ = w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func unpack(packed string) (string, error) {
	data, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostDocument+1))
	if err != nil {
		return "", err
	}
	if len(text) > mostDocument {
		return "", fmt.Errorf("more than %d bytes", mostDocument)
	}
	return string(text), nil
}
