#include "compiler/check/interface_index.h"

#include <algorithm>

#include "base/arena.h"
#include "compiler/ast/ast.h"
#include "compiler/parse/parser.h"

namespace tenure::compiler {
namespace {

void AddNames(const ast::Decl* decl, std::vector<std::string>* names) {
  const auto add = [names](const ast::Ident& ident) { names->push_back(ident.name.str()); };
  switch (decl->kind) {
    case ast::DeclKind::kConst: add(ast::As<ast::ConstDecl>(decl)->name); break;
    case ast::DeclKind::kType: add(ast::As<ast::TypeDecl>(decl)->name); break;
    case ast::DeclKind::kException: add(ast::As<ast::ExceptionDecl>(decl)->name); break;
    case ast::DeclKind::kVariable:
      for (const ast::Ident& name : ast::As<ast::VariableDecl>(decl)->names) add(name);
      break;
    case ast::DeclKind::kProcedure: add(ast::As<ast::ProcedureDecl>(decl)->name); break;
    case ast::DeclKind::kReveal: break;
  }
}

}  // namespace

InterfaceIndex::InterfaceIndex(const std::vector<const SourceFile*>& files) {
  Arena arena;
  Interner interner;
  Diagnostics discarded;
  for (const SourceFile* file : files) {
    const ast::Unit* tree = Parse(*file, arena, interner, discarded);
    if (tree == nullptr || tree->is_generic || tree->kind != ast::UnitKind::kInterface) continue;
    InterfaceSummary& summary = interfaces_.emplace_back();
    summary.name = tree->name.name.str();
    summary.is_unsafe = tree->is_unsafe;
    if (tree->is_instance) summary.generic = tree->generic.name.str();
    for (const ast::Decl* decl : tree->block.declarations) AddNames(decl, &summary.names);
  }
}

const InterfaceSummary* InterfaceIndex::Find(std::string_view name) const {
  const auto found = std::ranges::find(interfaces_, name, &InterfaceSummary::name);
  return found == interfaces_.end() ? nullptr : &*found;
}

std::vector<std::string> InterfaceIndex::Declaring(std::string_view name, bool also_unsafe) const {
  std::vector<std::string> found;
  for (const InterfaceSummary& summary : interfaces_) {
    if (summary.is_unsafe && !also_unsafe) continue;
    if (std::ranges::find(summary.names, name) != summary.names.end()) {
      found.push_back(summary.name);
    }
  }
  return found;
}

std::vector<std::string> InterfaceIndex::InstancesOf(std::string_view generic) const {
  std::vector<std::string> found;
  for (const InterfaceSummary& summary : interfaces_) {
    if (summary.generic == generic) found.push_back(summary.name);
  }
  return found;
}

}  // namespace tenure::compiler
