package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	done, over := make(chan bool), make(chan bool)
	go func() {
		<-done
		over <- true
	}()
	letters, length := 0, 0
	for ; n > 0; n-- {
		file, err := os.Open(os.Args[2])
		if err != nil {
			panic(err)
		}
		in := bufio.NewReader(file)
		var out strings.Builder
		for {
			c, err := in.ReadByte()
			if err != nil {
				break
			}
			if 'a' <= c && c <= 'z' {
				letters++
				out.WriteByte(c)
			}
		}
		length += out.Len()
		file.Close()
	}
	done <- true
	<-over
	fmt.Println(letters, length)
}
