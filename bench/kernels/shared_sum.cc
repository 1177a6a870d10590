#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

int main(int, char** argv) {
  const long additions = std::atol(argv[1]);
  std::mutex mutex;
  long sums[10] = {};
  std::vector<std::thread> threads;
  for (long first = 0; first < 4; ++first) {
    threads.emplace_back([&, first] {
      long local = 0;
      for (long i = 1; i <= additions; ++i) {
        local = (local * 31 + i + first) % 65537;
        if (i % 50 == 0) {
          const std::lock_guard lock(mutex);
          sums[i / 50 % 10] += local;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  long total = 0;
  for (long sum : sums) total += sum;
  std::printf("%ld\n", total);
}
