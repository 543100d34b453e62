// Package tex names the boxes of a typesetter.
package tex

// Node is a box with its measures.
type Node interface {
	Width() float64
	Height() float64
	Depth() float64
}

// Tree is a box that can be shipped.
type Tree interface{ Node }

// Ship would draw a tree.
type Ship struct{}

// Call draws nothing.
func (*Ship) Call(x, y float64, t Tree) {}
