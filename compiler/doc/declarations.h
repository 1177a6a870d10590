// The relations between the interfaces of one set of pages: the declarer of each name, the contents
// of a generic's instance, the methods that a type inherits, the users of an interface, and the
// place of a procedure's body.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/doc/interface_source.h"

namespace tenure::compiler {

// A module whose source has a page.
struct DocumentedModule {
  std::string file;  // for example "Text.m3"
  const InterfaceSource* source;
};

// Methods that a type inherits from one supertype.
struct InheritedMethods {
  std::string interface, type;
  std::vector<std::string> methods;
};

// Where the pages link for a declaration in a source.
struct SourceLine {
  std::string file;  // empty: nowhere
  uint32_t line = 0;
};

class Declarations {
 public:
  // All sources outlive it. `files` has the name of each interface's file.
  Declarations(const std::map<std::string, const InterfaceSource*>& interfaces,
               const std::map<std::string, std::string>& files,
               const std::vector<DocumentedModule>& modules);

  bool HasInterface(const std::string& interface) const { return interfaces_.contains(interface); }
  // Whether the interface declares the name; an instance declares what its generic does.
  bool Has(const std::string& interface, const std::string& name) const;

  // The source with the declarations of an interface: its own, or its generic's if it is an
  // instance of a generic that is known.
  const InterfaceSource& Contents(const std::string& interface) const;
  // The generic of an instance if it is known; else empty.
  std::string GenericOf(const std::string& interface) const;
  // The interface of each name that the contents import, and of each formal of an instance's
  // generic.
  std::map<std::string, std::string> Imports(const std::string& interface) const;
  // The actual interfaces by the generic's formals; empty if the interface is not an instance.
  std::map<std::string, std::string> Actuals(const std::string& interface) const;

  // From the nearest supertype to the farthest one that is known, those without methods left out.
  std::vector<InheritedMethods> Inherited(const std::string& interface,
                                          const std::string& type) const;

  // Interfaces that import this one, or instantiate it, or are instances with it; and files of
  // modules that import it and have another name than those interfaces. Sorted.
  std::vector<std::string> UsingInterfaces(const std::string& interface) const;
  std::vector<std::string> UsingModules(const std::string& interface) const;

  // The files of the interface and of the modules that export it.
  std::vector<std::string> Files(const std::string& interface) const;
  // The body of a procedure, or the declaration of another name.
  SourceLine Find(const std::string& interface, const std::string& name) const;

 private:
  const std::string* FileOf(const std::string& interface) const;
  std::vector<const DocumentedModule*> Exporters(const std::string& interface) const;

  const std::map<std::string, const InterfaceSource*>& interfaces_;
  const std::map<std::string, std::string>& files_;
  const std::vector<DocumentedModule>& modules_;
  std::map<std::string, std::set<std::string>> known_;
  std::map<std::string, std::set<std::string>> users_;         // interfaces, by those that they use
  std::map<std::string, std::set<std::string>> module_users_;  // files
  std::map<std::string, std::vector<const DocumentedModule*>> exporters_;
};

}  // namespace tenure::compiler
