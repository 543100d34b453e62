// Package digits is the one face behind all names of this module: digits, a point and a space.
package digits

import _ "embed"

// TTF is a TrueType face.
//
//go:embed digits.ttf
var TTF []byte
