package main

import (
	"fmt"
	"os"
	"strconv"
)

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			above := row[j]
			if a[i-1] == b[j-1] {
				row[j] = diagonal
			} else {
				row[j] = 1 + min(diagonal, min(above, row[j-1]))
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	sum := 0
	for i := 1; i <= n; i++ {
		sum += distance("the quick brown fox "+strconv.Itoa(i*7919)+" jumps over the lazy dog and runs",
			"a quack brown box "+strconv.Itoa(i*104729)+" jumped over a lazy cog and ran away")
	}
	fmt.Println(sum)
}
