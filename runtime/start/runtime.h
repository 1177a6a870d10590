// Runtime: what one process has one of. Made by start before the first module body, never
// destroyed.
#pragma once

#include <memory>

#include "abi/program.h"
#include "base/result.h"
#include "gc/heap.h"
#include "runtime/heap/root_source.h"
#include "runtime/heap/type_registry.h"
#include "runtime/start/options.h"

namespace tenure::runtime {

class Runtime {
 public:
  // Makes the heap and the registry, and the calling thread the first mutator. Fails when memory or
  // address space is short, or when the program was made by a compiler of another version.
  static Status Create(const abi::ProgramInfo& program, const Options& options);
  // Only after Create.
  static Runtime& Get() { return *instance_; }

  const abi::ProgramInfo& program() const { return program_; }
  const Options& options() const { return options_; }
  const TypeRegistry& types() const { return types_; }
  gc::Heap& heap() { return *heap_; }
  ProgramRoots& roots() { return roots_; }

 private:
  Runtime(const abi::ProgramInfo& program, const Options& options)
      : program_(program), options_(options), types_(program), roots_(program) {}

  static Runtime* instance_;

  const abi::ProgramInfo& program_;
  const Options options_;
  const TypeRegistry types_;
  ProgramRoots roots_;
  std::unique_ptr<gc::Heap> heap_;
};

}  // namespace tenure::runtime
