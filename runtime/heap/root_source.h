// The collector's roots: stacks, registers and exceptions in flight (ambiguous), global variables
// (exact).
#pragma once

#include <atomic>
#include <cstddef>

#include "abi/program.h"
#include "gc/roots.h"

namespace tenure::runtime {

class ProgramRoots final : public gc::RootSource {
 public:
  explicit ProgramRoots(const abi::ProgramInfo& program) : program_(program) {}

  void StopWorld() override;
  void ResumeWorld() override;
  // From the next stop on, until a call with false for each with true: no thread is stopped inside
  // C library code, because the stopping thread then uses the library's locks. Any thread.
  void StopOutsideC(bool wanted) { library_users_ += wanted ? 1 : -1; }
  void CleanupsWait() override;
  bool IsInterrupted(const abi::MutatorState& state) override;
  void VisitAmbiguousRoots(gc::AmbiguousRootVisitor& visitor) override;
  void VisitExactRoots(gc::ExactRootVisitor& visitor) override;

 private:
  const abi::ProgramInfo& program_;
  size_t stops_ = 0;
  std::atomic<int> library_users_{0};
};

}  // namespace tenure::runtime
