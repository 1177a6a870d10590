// The declarations of all interfaces that a unit could import, for messages about names that are
// not found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/source/source_file.h"

namespace tenure::compiler {

struct InterfaceSummary {
  std::string name;
  bool is_unsafe = false;
  std::string generic;             // of an instance: the generic interface's name; else empty
  std::vector<std::string> names;  // declared here; none for an instance
};

// Reads the files. Meant for programs with errors only: all interfaces of the library take some
// 50 ms.
class InterfaceIndex {
 public:
  explicit InterfaceIndex(const std::vector<const SourceFile*>& files);

  const std::vector<InterfaceSummary>& all() const { return interfaces_; }
  const InterfaceSummary* Find(std::string_view name) const;  // null: there is none
  // The interfaces that declare the name, safe ones only unless `also_unsafe`.
  std::vector<std::string> Declaring(std::string_view name, bool also_unsafe) const;
  std::vector<std::string> InstancesOf(std::string_view generic) const;

 private:
  std::vector<InterfaceSummary> interfaces_;
};

}  // namespace tenure::compiler
