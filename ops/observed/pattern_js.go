package observed

import (
	"strings"
	"sync"
	"syscall/js"
)

type pattern struct {
	source string
	made   func() js.Value
}

func lazily(source string) *pattern {
	return &pattern{source, sync.OnceValue(func() js.Value {
		var b strings.Builder
		for i, part := range strings.Split(source, "(?P<") { // a name may come twice here, and not there
			if i > 0 {
				_, part, _ = strings.Cut(part, ">")
				b.WriteByte('(')
			}
			b.WriteString(part)
		}
		return js.Global().Get("RegExp").New(b.String())
	})}
}

func (p *pattern) match(text string) []string {
	m := p.made().Call("exec", text)
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
