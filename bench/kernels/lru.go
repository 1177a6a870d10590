package main

import (
	"fmt"
	"os"
	"strconv"
)

type node struct {
	key, value     int
	next, previous *node
}

const capacity = 200000

var table = map[int]*node{}
var first, last *node
var state uint64 = 1
var hits, sum int

func next() int {
	state = state*6364136223846793005 + 1442695040888963407
	return int(state >> 33)
}

func unlink(n *node) {
	if n.previous == nil {
		first = n.next
	} else {
		n.previous.next = n.next
	}
	if n.next == nil {
		last = n.previous
	} else {
		n.next.previous = n.previous
	}
}

func putFirst(n *node) {
	n.previous = nil
	n.next = first
	if first == nil {
		last = n
	} else {
		first.previous = n
	}
	first = n
}

func request(key int) int {
	if n, ok := table[key]; ok {
		hits++
		if n != first {
			unlink(n)
			putFirst(n)
		}
		return n.value
	}
	if len(table) == capacity {
		delete(table, last.key)
		unlink(last)
	}
	n := &node{key: key, value: key * 3}
	table[key] = n
	putFirst(n)
	return n.value
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for ; n > 0; n-- {
		a := next() % 600000
		sum += request(min(a, next()%600000))
	}
	fmt.Println(hits, sum)
}
