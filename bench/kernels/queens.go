package main

import (
	"fmt"
	"os"
	"strconv"
)

func place(row, n int, columns, up, down uint64) int {
	if row == n {
		return 1
	}
	count := 0
	for column := 0; column < n; column++ {
		c, u, d := uint64(1)<<column, uint64(1)<<(row+column), uint64(1)<<(row-column+31)
		if columns&c == 0 && up&u == 0 && down&d == 0 {
			count += place(row+1, n, columns|c, up|u, down|d)
		}
	}
	return count
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(place(0, n, 0, 0, 0))
}
