package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	lines, _ := strconv.Atoi(os.Args[1])
	var fields []string
	for i := 1; i <= lines; i++ {
		line := strconv.Itoa(i) + ",some words in a field," + strconv.Itoa(i*7) +
			",x,another field of the line"
		start := 0
		for {
			comma := strings.IndexByte(line[start:], ',')
			if comma < 0 {
				break
			}
			fields = append(fields, strings.Clone(line[start:start+comma]))
			start += comma + 1
		}
		fields = append(fields, strings.Clone(line[start:]))
	}
	length := 0
	for _, field := range fields {
		length += len(field)
	}
	fmt.Println(len(fields), length)
}
