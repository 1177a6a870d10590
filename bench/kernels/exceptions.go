package main

import (
	"fmt"
	"os"
	"strconv"
)

type deep struct{ value int }

var depth, sum int

//go:noinline
func down(n int) int {
	depth++
	if n == 0 {
		panic(deep{depth})
	}
	return down(n-1) + depth%3
}

func try() {
	defer func() {
		sum += recover().(deep).value % 7
	}()
	sum += down(10)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	for ; n > 0; n-- {
		try()
	}
	fmt.Println(sum)
}
