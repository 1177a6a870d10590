#include "runtime/start/coverage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "abi/coverage.h"

// The linker defines these around the section, if the program has it.
extern "C" {
extern tenure::abi::CoverageUnit first_unit __asm__("__start_tn_coverage") __attribute__((weak));
extern tenure::abi::CoverageUnit end_of_units __asm__("__stop_tn_coverage") __attribute__((weak));
}

namespace tenure::runtime {

void StartCoverage() {
  using abi::CoverageFileHeader;
  using abi::CoverageUnit;
  if (&first_unit == nullptr) return;
  const char* name = std::getenv("TENURE_COVERAGE");
  if (name == nullptr || name[0] == '\0') return;
  CoverageFileHeader header = {CoverageFileHeader::kMagic, 0, 0};
  for (const CoverageUnit* unit = &first_unit; unit != &end_of_units; ++unit) {
    header.count += unit->count;
    header.map_bytes += unit->map_bytes;
  }
  const std::string path = std::string(name) + "." + std::to_string(getpid());
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return;
  const size_t bytes = sizeof header + header.count * sizeof(uint64_t) + header.map_bytes;
  void* memory = MAP_FAILED;
  // A full disk is found here, not at a counter.
  if (posix_fallocate(file, 0, static_cast<off_t>(bytes)) == 0) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (memory == MAP_FAILED) {
    unlink(path.c_str());
    return;
  }
  auto* at = static_cast<char*>(memory);
  auto* counters = reinterpret_cast<uint64_t*>(at + sizeof header);
  char* map = at + sizeof header + header.count * sizeof(uint64_t);
  for (CoverageUnit* unit = &first_unit; unit != &end_of_units; ++unit) {
    std::memcpy(map, unit->map, unit->map_bytes);
    map += unit->map_bytes;
    unit->counters = counters;
    counters += unit->count;
  }
  std::memcpy(at, &header, sizeof header);
}

}  // namespace tenure::runtime
