// How long does it take to read parts of a file in a given order, and nothing else?
//
//   pread_times FILE    its input: a line OFFSET BYTES for each read
//
// Prints `reads N bytes N elapsed_us T`. To measure a cold file, drop it from the page cache
// before.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Part {
  long long offset, bytes;
};

[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "pread_times: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

std::vector<Part> PartsFromInput() {
  std::vector<Part> parts;
  Part part;
  while (std::scanf("%lld %lld", &part.offset, &part.bytes) == 2) {
    if (part.offset < 0 || part.bytes <= 0) break;
    parts.push_back(part);
  }
  if (!std::feof(stdin)) {
    std::fprintf(stderr, "pread_times: the input is not lines of OFFSET BYTES\n");
    std::exit(2);
  }
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: pread_times FILE < lines of OFFSET BYTES\n");
    return 2;
  }
  const std::vector<Part> parts = PartsFromInput();
  long long most = 0, total = 0;
  for (const Part& part : parts) most = std::max(most, part.bytes);
  std::vector<char> buffer(static_cast<size_t>(most),
                           1);  // touched before, so that the buffer's own faults do not count
  const int file = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (file < 0) Fail(argv[1]);

  const auto start = std::chrono::steady_clock::now();
  for (const Part& part : parts) {
    const ssize_t got = pread(file, buffer.data(), static_cast<size_t>(part.bytes), part.offset);
    if (got != part.bytes) Fail("pread");
    total += got;
  }
  const std::chrono::duration<double, std::micro> elapsed =
      std::chrono::steady_clock::now() - start;
  std::printf("reads %zu bytes %lld elapsed_us %.2f\n", parts.size(), total, elapsed.count());
}
