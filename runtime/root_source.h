// The collector's roots: stacks, registers and exceptions in flight (ambiguous), global variables
// (exact).
#pragma once

#include "abi/program.h"
#include "gc/roots.h"

namespace tenure::runtime {

class ProgramRoots final : public gc::RootSource {
 public:
  explicit ProgramRoots(const abi::ProgramInfo& program) : program_(program) {}

  void StopWorld() override;
  void ResumeWorld() override;
  void CleanupsWait() override;
  bool IsInterrupted(const abi::MutatorState& state) override;
  void VisitAmbiguousRoots(gc::AmbiguousRootVisitor& visitor) override;
  void VisitExactRoots(gc::ExactRootVisitor& visitor) override;

 private:
  const abi::ProgramInfo& program_;
  size_t stops_ = 0;
};

}  // namespace tenure::runtime
