package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	lines, length := 0, 0
	for ; n > 0; n-- {
		file, err := os.Open(os.Args[2])
		if err != nil {
			panic(err)
		}
		null, _ := os.Create("/dev/null")
		out := bufio.NewWriter(null)
		in := bufio.NewScanner(file)
		for in.Scan() {
			line := in.Text()
			lines++
			length += len(line)
			out.WriteString(line)
			out.WriteByte('\n')
		}
		out.Flush()
		null.Close()
		file.Close()
	}
	fmt.Println(lines, length)
}
