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
  // From the next stop on, until this has been called with false as often: no thread is stopped in
  // the middle of C library code, because who stops the world goes on to use its locks. Any thread.
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
