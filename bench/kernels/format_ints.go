package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	length, sum := 0, 0
	for i := 1; i <= n; i++ {
		t := strconv.Itoa(i * 7919)
		length += len(t)
		sum += int(t[len(t)-1])
	}
	fmt.Println(length, sum)
}
