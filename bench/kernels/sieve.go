package main

import (
	"fmt"
	"os"
	"strconv"
)

func primes(n int) int {
	composite := make([]bool, n+1)
	found := 0
	for i := 2; i <= n; i++ {
		if !composite[i] {
			found++
			for j := i + i; j <= n; j += i {
				composite[j] = true
			}
		}
	}
	return found
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	found := 0
	for round := 1; round <= rounds; round++ {
		found += primes(300000 + round)
	}
	fmt.Println(found)
}
