// The twin of bench/gc/graph in Go.
package main

import "fmt"

const (
	nodeCount = 500000
	steps     = 6000000
)

type part struct{ a, b, c int64 }

type node struct {
	part *part
	next *node
	uses int64
}

var state int64 = 1

func random() int64 {
	state = (state*1103515245 + 12345) & 0x7fffffff
	return state / 8 % nodeCount
}

func change(n, m *node, step int64) {
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
		nodes[i] = &node{part: &part{a: int64(i)}}
	}
	for step := int64(1); step <= steps; step++ {
		n := nodes[random()]
		change(n, nodes[random()], step)
	}
	sum := int64(0)
	for _, n := range nodes {
		sum = (sum*31 + n.part.a + n.part.b + n.part.c) & 0xffffffff
		if n.next != nil {
			sum += n.next.uses
		}
	}
	fmt.Println(sum)
}
