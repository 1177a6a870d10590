// The twin of bench/gc/gcbench in Go.
package main

import "fmt"

const (
	stretch    = 20
	longLived  = 18
	arraySize  = 4000000
	shallowest = 4
	deepest    = 18
)

type node struct {
	left, right *node
	i, j        int
}

func nodesOf(depth int) int { return 1<<(depth+1) - 1 }

func populate(depth int, n *node) {
	if depth <= 0 {
		return
	}
	n.left = &node{}
	n.right = &node{}
	populate(depth-1, n.left)
	populate(depth-1, n.right)
}

func newNode(depth int) *node {
	n := &node{}
	if depth > 0 {
		n.left = newNode(depth - 1)
		n.right = newNode(depth - 1)
	}
	return n
}

func main() {
	newNode(stretch)
	kept := &node{}
	populate(longLived, kept)
	array := make([]float64, arraySize)
	for i := 1; i < arraySize/2; i++ {
		array[i] = 1.0 / float64(i)
	}
	for depth := shallowest; depth <= deepest; depth += 2 {
		rounds := 2 * nodesOf(stretch) / nodesOf(depth)
		for i := 0; i < rounds; i++ {
			populate(depth, &node{})
			newNode(depth)
		}
	}
	if kept.left != nil && array[1000] == 1.0/1000 {
		fmt.Println("done")
	}
}
