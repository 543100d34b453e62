// Package liberationserifregular stands in for the face of that name.
package liberationserifregular

import "codeberg.org/go-fonts/liberation/internal/digits"

// TTF is a TrueType face.
var TTF = digits.TTF
