// How threads of the library run.
#pragma once

#include <cstdint>

namespace tenure::runtime {

// The flag @M3threads.
struct ThreadsMode {
  enum class Kind : uint8_t {
    kKernel,   // each is a kernel thread
    kWorkers,  // workers carry them
    kMigrate,  // the same, and a thread goes on with another worker each time: for tests
  };
  Kind kind = Kind::kKernel;
  uint32_t workers = 0;  // 0: as many as processors are allowed
};

}  // namespace tenure::runtime
