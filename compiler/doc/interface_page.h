// The page of one interface.
#pragma once

#include <map>
#include <set>
#include <string>

#include "compiler/doc/interface_source.h"

namespace tenure::compiler {

// The places where the interfaces declare their names.
class Declarations {
 public:
  // `sources` outlive it.
  explicit Declarations(const std::map<std::string, const InterfaceSource*>& sources);

  bool HasInterface(const std::string& interface) const { return known_.contains(interface); }
  // The interface that declares the name: this one, or its generic if this one is an instance;
  // empty if neither declares it.
  std::string Owner(const std::string& interface, const std::string& name) const;

 private:
  bool Has(const std::string& interface, const std::string& name) const;

  std::map<std::string, std::set<std::string>> known_;
  std::map<std::string, std::string> generics_;  // of instances
};

// The page of the interface `name`: comments between declarations as text, declarations as code,
// with links to where names are declared.
std::string MakeInterfacePage(const std::string& name, const InterfaceSource& source,
                              const Declarations& declared);

// The first sentence of the first comment; empty without a comment.
std::string SummaryOf(const InterfaceSource& source);

}  // namespace tenure::compiler
