package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	words, length, sum := 0, 0, 0
	for ; n > 0; n-- {
		file, err := os.Open(os.Args[2])
		if err != nil {
			panic(err)
		}
		in := bufio.NewScanner(file)
		in.Split(bufio.ScanWords)
		for in.Scan() {
			word := in.Text()
			words++
			length += len(word)
			sum += int(word[0])
		}
		file.Close()
	}
	fmt.Println(words, length, sum)
}
