package vector

import (
	"encoding/json"
	"strings"
)

// thrown is the exception of a call that fails, by its class in Flink; "" if the call was done. A case asks for it with true and
// false, or with the class.
type thrown string

// The exceptions of the calls that units refuse.
const (
	illegalArgument thrown = "IllegalArgumentException"
	illegalState    thrown = "IllegalStateException"
	unsupported     thrown = "UnsupportedOperationException"
)

// by is the exception if the call fails.
func (t thrown) by(fails bool) thrown {
	if fails {
		return t
	}
	return ""
}

// means reports whether a case that expects want means this.
func (t thrown) means(want json.RawMessage) bool {
	var fails bool
	var class string
	switch {
	case json.Unmarshal(want, &fails) == nil: // null as well: nothing is thrown
		return fails == (t != "")
	case json.Unmarshal(want, &class) == nil:
		return t != "" && (class == "error" || class[strings.LastIndexAny(class, ".")+1:] == string(t))
	}
	return false
}

// MarshalJSON shows it as a case may write it.
func (t thrown) MarshalJSON() ([]byte, error) {
	if t == "" {
		return json.Marshal(false)
	}
	return json.Marshal(string(t))
}

// failing cuts what says that a call fails off an event's arguments: the word error, or {error: true}.
func failing(args []json.RawMessage) ([]json.RawMessage, bool) {
	if n := len(args); n > 0 && saysError(args[n-1]) {
		return args[:n-1], true
	}
	return args, false
}

// saysError reports whether an argument says nothing but that the call fails.
func saysError(arg json.RawMessage) bool {
	if string(arg) == `"error"` {
		return true
	}
	var only map[string]json.RawMessage
	if json.Unmarshal(arg, &only) != nil || len(only) != 1 {
		return false
	}
	for key, value := range only {
		switch key {
		case "error", "throws", "fails":
			return string(value) == "true"
		}
	}
	return false
}
