// 64-bit structural fingerprints (docs/language.md 6.5), equal across compilations and machines.
// Databases store them, and symbols of type descriptors contain them.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/types/type.h"

namespace tenure::compiler {

// Fingerprints of all types of a program. Equal infinite trees get equal fingerprints even if
// different finite graphs represent them: the type graph is minimised (partition refinement), and
// each class is hashed over a canonical depth-first numbering of the classes that it reaches, so
// the result depends on the type alone, not on the program. All types of the table must be filled
// in and must not change. One thread.
class Fingerprints {
 public:
  explicit Fingerprints(const TypeTable& types);
  ~Fingerprints();
  Fingerprints(const Fingerprints&) = delete;
  // The fingerprint of a type of the table.
  uint64_t Of(const Type* type) const;

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace tenure::compiler
