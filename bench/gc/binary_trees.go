// The twin of bench/gc/binary_trees in Go.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const shallowest = 4

type tree struct{ left, right *tree }

func newTree(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{newTree(depth - 1), newTree(depth - 1)}
}

func (t *tree) count() int64 {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.count() + t.right.count()
}

func main() {
	deepest := 18
	if len(os.Args) > 1 {
		deepest, _ = strconv.Atoi(os.Args[1])
	}
	total := newTree(deepest + 1).count()
	kept := newTree(deepest)
	for depth := shallowest; depth <= deepest; depth += 2 {
		trees := 1 << (deepest - depth + shallowest)
		for i := 0; i < trees; i++ {
			total += newTree(depth).count()
		}
	}
	fmt.Println(total + kept.count())
}
