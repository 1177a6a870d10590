package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct{ left, right *node }

func makeTree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{makeTree(depth - 1), makeTree(depth - 1)}
}

func count(n *node) int {
	if n.left == nil {
		return 1
	}
	return 1 + count(n.left) + count(n.right)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	longest := makeTree(n)
	for depth := 4; depth <= n; depth += 2 {
		sum := 0
		for i := 1 << (n + 4 - depth); i > 0; i-- {
			sum += count(makeTree(depth))
		}
		fmt.Println(depth, sum)
	}
	fmt.Println(count(longest))
}
