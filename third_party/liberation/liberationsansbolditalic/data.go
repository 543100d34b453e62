// Package liberationsansbolditalic stands in for the face of that name.
package liberationsansbolditalic

import "codeberg.org/go-fonts/liberation/internal/digits"

// TTF is a TrueType face.
var TTF = digits.TTF
