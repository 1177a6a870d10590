package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

func main() {
	additions, _ := strconv.Atoi(os.Args[1])
	var mutex sync.Mutex
	var sums [10]int
	var done sync.WaitGroup
	for first := 0; first < 4; first++ {
		done.Add(1)
		go func(first int) {
			defer done.Done()
			local := 0
			for i := 1; i <= additions; i++ {
				local = (local*31 + i + first) % 65537
				if i%50 == 0 {
					mutex.Lock()
					sums[i/50%10] += local
					mutex.Unlock()
				}
			}
		}(first)
	}
	done.Wait()
	total := 0
	for _, sum := range sums {
		total += sum
	}
	fmt.Println(total)
}
