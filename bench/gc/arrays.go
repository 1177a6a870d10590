// The twin of bench/gc/arrays in Go.
package main

import "fmt"

const (
	rounds   = 6000
	keep     = 32
	least    = 5000
	rowCount = 4
)

func main() {
	var kept [keep][][]int
	sum := 0
	for round := 0; round < rounds; round++ {
		rows := make([][]int, rowCount)
		for i := range rows {
			rows[i] = make([]int, least+round%100*200)
			for j := 0; j < len(rows[i]); j += 8 {
				rows[i][j] = round + j
			}
		}
		if kept[round%keep] != nil {
			sum += kept[round%keep][3][8]
		}
		kept[round%keep] = rows
		sum += len(rows[0])
	}
	fmt.Println(sum)
}
