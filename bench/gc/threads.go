// The twin of bench/gc/threads in Go.
package main

import "fmt"

const (
	threads = 4
	rounds  = 400
	length  = 20000
	keep    = 8
)

type list struct {
	n    int
	next *list
}

func work(sums chan<- int) {
	var kept [keep]*list
	sum := 0
	for round := 0; round < rounds; round++ {
		var cells *list
		for i := 1; i <= length; i++ {
			cells = &list{i, cells}
		}
		kept[round%keep] = cells
		for ; cells != nil; cells = cells.next {
			sum += cells.n
		}
	}
	sums <- sum
}

func main() {
	sums := make(chan int)
	for i := 0; i < threads; i++ {
		go work(sums)
	}
	sum := 0
	for i := 0; i < threads; i++ {
		sum += <-sums
	}
	fmt.Println(sum)
}
