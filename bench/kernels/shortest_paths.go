package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
)

const (
	vertices = 20000
	degree   = 8
	far      = math.MaxInt64 / 2
)

type edge struct {
	to     int
	length int
}
type entry struct {
	distance int
	vertex   int
}

var edges = make([]edge, vertices*degree)
var distance = make([]int, vertices)
var heap = make([]entry, vertices*degree+1)
var count int
var state uint64 = 1

func next(n uint64) int {
	state = state*6364136223846793005 + 1442695040888963407
	return int((state >> 33) % n)
}

func push(d, v int) {
	i := count
	count++
	for i > 0 {
		parent := (i - 1) / 2
		if heap[parent].distance <= d {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = entry{d, v}
}

func pop() entry {
	top := heap[0]
	count--
	last := heap[count]
	i := 0
	for {
		child := 2*i + 1
		if child >= count {
			break
		}
		if child+1 < count && heap[child+1].distance < heap[child].distance {
			child++
		}
		if heap[child].distance >= last.distance {
			break
		}
		heap[i] = heap[child]
		i = child
	}
	heap[i] = last
	return top
}

func from(source int) int {
	for v := range distance {
		distance[v] = far
	}
	distance[source] = 0
	count = 0
	push(0, source)
	for count > 0 {
		e := pop()
		if e.distance != distance[e.vertex] {
			continue
		}
		for i := e.vertex * degree; i < (e.vertex+1)*degree; i++ {
			d := e.distance + edges[i].length
			if d < distance[edges[i].to] {
				distance[edges[i].to] = d
				push(d, edges[i].to)
			}
		}
	}
	sum := 0
	for _, d := range distance {
		if d < far {
			sum += d
		}
	}
	return sum
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for i := range edges {
		edges[i].to = next(vertices)
		edges[i].length = 1 + next(1000)
	}
	sum := 0
	for i := 1; i <= n; i++ {
		sum += from(i * 37 % vertices)
	}
	fmt.Println(sum)
}
