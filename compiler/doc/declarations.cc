#include "compiler/doc/declarations.h"

namespace tenure::compiler {

namespace {

// A chain of supertypes that is longer has a cycle.
constexpr int kMostSupertypes = 100;

std::set<std::string> UnitsUsedBy(const InterfaceSource& source) {
  std::set<std::string> used(source.actuals().begin(), source.actuals().end());
  if (!source.generic().empty()) used.insert(source.generic());
  for (const auto& [local, interface] : source.imports()) used.insert(interface);
  return used;
}

}  // namespace

Declarations::Declarations(const std::map<std::string, const InterfaceSource*>& interfaces,
                           const std::map<std::string, std::string>& files,
                           const std::vector<DocumentedModule>& modules)
    : interfaces_(interfaces), files_(files), modules_(modules) {
  for (const auto& [name, source] : interfaces_) {
    const std::vector<std::string>& declared = Contents(name).declared();
    known_[name].insert(declared.begin(), declared.end());
    for (const std::string& used : UnitsUsedBy(*source)) users_[used].insert(name);
  }
  for (const DocumentedModule& module : modules_) {
    for (const std::string& used : UnitsUsedBy(*module.source)) {
      module_users_[used].insert(module.file);
    }
    for (const std::string& exported : module.source->exports()) {
      exporters_[exported].push_back(&module);
    }
  }
}

bool Declarations::Has(const std::string& interface, const std::string& name) const {
  const auto found = known_.find(interface);
  return found != known_.end() && found->second.contains(name);
}

std::string Declarations::GenericOf(const std::string& interface) const {
  const auto found = interfaces_.find(interface);
  if (found == interfaces_.end() || !interfaces_.contains(found->second->generic())) return "";
  return found->second->generic();
}

const InterfaceSource& Declarations::Contents(const std::string& interface) const {
  const std::string generic = GenericOf(interface);
  return *interfaces_.at(generic.empty() ? interface : generic);
}

std::map<std::string, std::string> Declarations::Actuals(const std::string& interface) const {
  std::map<std::string, std::string> result;
  const std::string generic = GenericOf(interface);
  if (generic.empty()) return result;
  const std::vector<std::string>& formals = interfaces_.at(generic)->formals();
  const std::vector<std::string>& actuals = interfaces_.at(interface)->actuals();
  // One actual more, in front, is the supertype of the instance's types (language.md 27.4).
  const size_t extra = actuals.size() == formals.size() + 1 ? 1 : 0;
  for (size_t i = 0; i < formals.size() && i + extra < actuals.size(); ++i) {
    result[formals[i]] = actuals[i + extra];
  }
  return result;
}

std::map<std::string, std::string> Declarations::Imports(const std::string& interface) const {
  std::map<std::string, std::string> imports = Contents(interface).imports();
  for (const auto& [formal, actual] : Actuals(interface)) imports[formal] = actual;
  return imports;
}

std::vector<InheritedMethods> Declarations::Inherited(const std::string& interface,
                                                      const std::string& type) const {
  std::vector<InheritedMethods> result;
  std::string unit = interface;
  std::string name = type;
  for (int step = 0; step < kMostSupertypes; ++step) {
    if (!HasInterface(unit)) break;
    const InterfaceSource& contents = Contents(unit);
    const auto outline = contents.types().find(name);
    if (outline == contents.types().end()) break;
    if (step > 0 && !outline->second.methods.empty()) {
      result.push_back({unit, name, outline->second.methods});
    }
    const TypeOutline& next = outline->second;
    if (next.super.empty()) break;
    name = next.super;
    if (!next.super_unit.empty()) {
      const std::map<std::string, std::string> imports = Imports(unit);
      const auto imported = imports.find(next.super_unit);
      if (imported == imports.end()) break;
      unit = imported->second;
    } else if (const auto from = contents.imported_names().find(next.super);
               from != contents.imported_names().end()) {
      unit = from->second;
    }
  }
  return result;
}

std::vector<std::string> Declarations::UsingInterfaces(const std::string& interface) const {
  const auto found = users_.find(interface);
  if (found == users_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

std::vector<std::string> Declarations::UsingModules(const std::string& interface) const {
  std::vector<std::string> result;
  const auto found = module_users_.find(interface);
  if (found == module_users_.end()) return result;
  const auto users = users_.find(interface);
  for (const std::string& file : found->second) {
    const std::string name = file.substr(0, file.find('.'));
    if (name == interface || (users != users_.end() && users->second.contains(name))) continue;
    result.push_back(file);
  }
  return result;
}

const std::string* Declarations::FileOf(const std::string& interface) const {
  const auto found = files_.find(interface);
  return found == files_.end() ? nullptr : &found->second;
}

std::vector<const DocumentedModule*> Declarations::Exporters(const std::string& interface) const {
  // An instance's bodies are those of its generic.
  const std::string generic = GenericOf(interface);
  const auto found = exporters_.find(generic.empty() ? interface : generic);
  return found == exporters_.end() ? std::vector<const DocumentedModule*>() : found->second;
}

std::vector<std::string> Declarations::Files(const std::string& interface) const {
  std::vector<std::string> result;
  const std::string generic = GenericOf(interface);
  if (const std::string* file = FileOf(interface)) result.push_back(*file);
  if (const std::string* file = generic.empty() ? nullptr : FileOf(generic)) {
    result.push_back(*file);
  }
  for (const DocumentedModule* module : Exporters(interface)) result.push_back(module->file);
  return result;
}

SourceLine Declarations::Find(const std::string& interface, const std::string& name) const {
  for (const DocumentedModule* module : Exporters(interface)) {
    if (const uint32_t line = module->source->LineOf(name)) return {module->file, line};
  }
  const std::string generic = GenericOf(interface);
  const std::string* const file = FileOf(generic.empty() ? interface : generic);
  const uint32_t line = Contents(interface).LineOf(name);
  return file == nullptr || line == 0 ? SourceLine() : SourceLine{*file, line};
}

}  // namespace tenure::compiler
