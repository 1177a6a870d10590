// The twin of bench/gc/texts in Go.
package main

import (
	"fmt"
	"strconv"
)

const (
	lines = 1000000
	keep  = 20000
)

func main() {
	var kept [keep]string
	sum := 0
	for i := 0; i < lines; i++ {
		line := "line number " + strconv.Itoa(i) + " follows the one whose number is " +
			strconv.Itoa(i*7)
		if i >= keep {
			sum += int(kept[i%keep][14])
		}
		kept[i%keep] = line
		sum += len(line)
	}
	fmt.Println(sum)
}
