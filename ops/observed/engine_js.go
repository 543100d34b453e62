package observed

import (
	"strings"
	"syscall/js"
)

// engine is a RegExp of the browser.
type engine = js.Value

func compile(source string) engine {
	var b strings.Builder
	for i, part := range strings.Split(source, "(?P<") { // a name may come twice here, and not there
		if i > 0 {
			_, part, _ = strings.Cut(part, ">")
			b.WriteByte('(')
		}
		b.WriteString(part)
	}
	return js.Global().Get("RegExp").New(b.String())
}

func match(e engine, text string) []string {
	m := e.Call("exec", text)
	if m.IsNull() {
		return nil
	}
	all := make([]string, m.Length())
	for i := range all {
		if group := m.Index(i); group.Type() == js.TypeString {
			all[i] = group.String()
		}
	}
	return all
}
