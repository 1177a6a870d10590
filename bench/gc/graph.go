// The twin of bench/gc/graph in Go.
package main

import "fmt"

const (
	nodeCount = 500000
	steps     = 6000000
)

type part struct{ a, b, c int }

type node struct {
	part *part
	next *node
	uses int
}

var state = 1

func random() int {
	state = (state*1103515245 + 12345) & 0x7fffffff
	return state / 8 % nodeCount
}

func change(n, m *node, step int) {
	if step%3 == 0 {
		n.part = &part{step, n.part.a, n.uses}
	} else {
		n.part, m.part = m.part, n.part
	}
	n.next = m
	m.uses++
}

func main() {
	nodes := make([]*node, nodeCount)
	for i := range nodes {
		nodes[i] = &node{part: &part{a: i}}
	}
	for step := 1; step <= steps; step++ {
		n := nodes[random()]
		m := nodes[random()]
		change(n, m, step)
	}
	sum := 0
	for _, n := range nodes {
		sum = (sum*31 + n.part.a + n.part.b + n.part.c) & 0xffffffff
		if n.next != nil {
			sum += n.next.uses
		}
	}
	fmt.Println(sum)
}
