package main

import (
	"fmt"
	"os"
	"strconv"
)

type item struct {
	key    int
	weight float64
	number int
}

var state uint64 = 1

func next() int {
	state = state*6364136223846793005 + 1442695040888963407
	return int(state >> 33)
}

func isBefore(a, b *item) bool {
	return a.key < b.key || a.key == b.key && a.weight < b.weight
}

func sort(a []item, before func(a, b *item) bool) {
	if len(a) < 2 {
		return
	}
	pivot := a[len(a)/2]
	i, j := 0, len(a)-1
	for i <= j {
		for before(&a[i], &pivot) {
			i++
		}
		for before(&pivot, &a[j]) {
			j--
		}
		if i <= j {
			a[i], a[j] = a[j], a[i]
			i++
			j--
		}
	}
	sort(a[:j+1], before)
	sort(a[i:], before)
}

func main() {
	const count = 50000
	rounds, _ := strconv.Atoi(os.Args[1])
	items := make([]item, count)
	sum := 0
	for round := 0; round < rounds; round++ {
		for i := range items {
			items[i].key = next() % 5000
			items[i].weight = float64(next())
			items[i].number = i
		}
		sort(items, isBefore)
		for i := 0; i < count; i += 100 {
			sum += items[i].number * (i % 7)
		}
	}
	fmt.Println(sum)
}
