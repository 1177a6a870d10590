// LLVM's pipeline, verifier and object writer, in process.
#pragma once

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace tenure::compiler {

// The machine that all code is made for: x86-64 Linux, static relocation (programs are linked
// -no-pie, below 4 GB), small code model. One per thread. Never null.
std::unique_ptr<llvm::TargetMachine> MakeTargetMachine(bool optimize);

// A procedure with a loop costs the optimiser milliseconds; a unit with more procedures than this
// is compiled as by -O0.
inline constexpr size_t kMostDefinitions = 20000;

// Empty when the module is well formed, else LLVM's complaint: a bug of lowering, never of the
// user's.
std::string VerifyModule(const llvm::Module& module);

// The module as text, for --dump=llvm.
std::string PrintModule(const llvm::Module& module);

// Optimises (-O2 or -O0) and writes the object file, by way of a temporary file so that no half
// written one is ever found under `path`. Returns an empty string, or an error text about the file.
std::string EmitObject(llvm::Module& module, llvm::TargetMachine& machine, bool optimize,
                       const std::string& path);

}  // namespace tenure::compiler
