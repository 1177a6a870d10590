package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	length, sum, x := 0, 0, 0.001
	for ; n > 0; n-- {
		t := strconv.FormatFloat(x, 'f', 6, 64)
		length += len(t)
		sum += int(t[len(t)-1])
		x += 1.2345678
	}
	fmt.Println(length, sum)
}
