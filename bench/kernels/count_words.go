package main

import (
	"fmt"
	"os"
	"strconv"
)

const distinct = 50000

var state uint64 = 1

func next() int {
	state = state*6364136223846793005 + 1442695040888963407
	return int(state >> 33)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	table := map[string]int{}
	var words [distinct]string
	for i := range words {
		words[i] = "word" + strconv.Itoa(i*7919%100003)
	}
	for ; n > 0; n-- {
		a := next() % distinct
		table[words[min(a, next()%distinct)]]++
	}
	sum := 0
	for _, word := range words {
		sum += table[word] * len(word)
	}
	fmt.Println(len(table), sum)
}
