#include "compiler/driver/object_cache.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "abi/program.h"
#include "base/build_id.h"
#include "base/executable_path.h"
#include "base/hex.h"
#include "compiler/driver/user_cache.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

namespace {

// The compiler itself is part of the key: another build of it may make other code. An installed
// copy has the key of the build that it was copied from.
uint64_t CompilerKey() {
  std::error_code error;
  abi::FingerprintHasher hash;
  hash.Add(uint64_t{abi::kAbiVersion});
  if (const std::string id = BuildId(); !id.empty()) {
    hash.Add(id);
    return hash.Finish();
  }
  const std::string self = ExecutableFile();
  hash.Add(static_cast<uint64_t>(fs::file_size(self, error)));
  hash.Add(static_cast<uint64_t>(fs::last_write_time(self, error).time_since_epoch().count()));
  return hash.Finish();
}

bool MakeWritable(const std::string& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  return !error && access(directory.c_str(), W_OK) == 0;
}

bool IsKey(const std::string& name) {
  return name.size() == 16 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// A build with a compiler that has been replaced meanwhile may still be going on.
constexpr auto kKeepFoldersFor = std::chrono::hours(24);

// The folder of this compiler's object files. Those of earlier builds of the compiler are useless.
std::string FolderOfCompiler(const std::string& library_directory) {
  const std::string mine = HexOf(CompilerKey());
  std::error_code error;
  if (!fs::exists(library_directory + "/" + mine, error)) {
    for (fs::directory_iterator it(library_directory, error), end; !error && it != end;
         it.increment(error)) {
      std::error_code ignored;
      if (!IsKey(it->path().filename().string())) continue;
      const fs::file_time_type last = fs::last_write_time(it->path(), ignored);
      if (!ignored && last + kKeepFoldersFor < fs::file_time_type::clock::now())
        fs::remove_all(it->path(), ignored);
    }
  }
  return library_directory + "/" + mine;
}

}  // namespace

ObjectCache::ObjectCache(const Program& program, const ProgramLayout& layout, bool optimize,
                         uint64_t options_key, std::string package_directory,
                         std::string library_directory, const std::string& ready_directory)
    : program_(program),
      layout_(layout),
      optimize_(optimize),
      package_directory_(std::move(package_directory)),
      library_directory_(std::move(library_directory)) {
  abi::FingerprintHasher hash;
  hash.Add(CompilerKey());
  hash.Add(options_key);
  options_key_ = hash.Finish();
  if (!ready_directory.empty()) ready_directory_ = ready_directory + "/" + HexOf(CompilerKey());
  if (!library_directory_.empty()) library_directory_ = FolderOfCompiler(library_directory_);
  if (library_directory_.empty() || !MakeWritable(library_directory_))
    library_directory_ = package_directory_;
  MakeWritable(package_directory_);
  // The opaque types of each interface and their concrete types in this program. "Rd.T" belongs to
  // Rd; TEXT and MUTEX, which have no interface, to all interfaces, and so do the types of text
  // literals.
  for (const Type* type : program.types.all()) {
    const auto* opaque = As<OpaqueType>(type);
    if (opaque == nullptr) continue;
    const size_t dot = opaque->name.find('.');
    const std::string interface = dot == std::string::npos ? "" : opaque->name.substr(0, dot);
    opaque_types_of_[interface].emplace(opaque->name, layout_.FingerprintOf(opaque));
    if (opaque->concrete == nullptr) unrevealed_.insert(interface);
  }
  for (const ObjectType* flat_text : {program.text8_type, program.text16_type}) {
    if (flat_text != nullptr)
      opaque_types_of_[""].emplace(flat_text->name, layout_.FingerprintOf(flat_text));
  }
}

std::set<std::string> ObjectCache::InterfacesOf(const CheckedUnit& unit) {
  std::set<std::string> interfaces = {"", unit.name};
  std::set<const CheckedUnit*> seen;
  std::vector<const CheckedUnit*> work = {&unit};
  while (!work.empty()) {
    const CheckedUnit* current = work.back();
    work.pop_back();
    if (!seen.insert(current).second) continue;
    interfaces.insert(current->name);
    for (const CheckedUnit* import : current->imports) work.push_back(import);
  }
  return interfaces;
}

bool ObjectCache::KnowsLayouts(const CheckedUnit& unit) {
  if (unrevealed_.empty()) return true;
  return std::ranges::none_of(InterfacesOf(unit), [&](const std::string& interface) {
    return unrevealed_.contains(interface);
  });
}

uint64_t ObjectCache::LayoutKey(const CheckedUnit& unit) {
  if (const auto known = layout_keys_.find(&unit); known != layout_keys_.end())
    return known->second;
  abi::FingerprintHasher hash;
  for (const std::string& interface : InterfacesOf(unit)) {
    const auto it = opaque_types_of_.find(interface);
    if (it == opaque_types_of_.end()) continue;
    for (const auto& [name, fingerprint] : it->second) {
      hash.Add(name);
      hash.Add(fingerprint);
    }
  }
  return layout_keys_[&unit] = hash.Finish();
}

void ObjectCache::AddText(const Procedure& procedure, abi::FingerprintHasher& hash) {
  hash.Add(procedure.span.line());  // run-time errors and line tables name it
  hash.Add(Join(procedure.span, procedure.end_span).text());
}

uint64_t ObjectCache::KeyWithoutBodies(const CheckedUnit& unit) {
  if (const auto known = keys_without_bodies_.find(&unit); known != keys_without_bodies_.end())
    return known->second;
  const bool is_instance = std::ranges::any_of(unit.procedures, [&](const Procedure* procedure) {
    return procedure->span.file != unit.file || procedure->end_span.file != unit.file;
  });
  if (is_instance || unit.file == nullptr) return keys_without_bodies_[&unit] = unit.content_key;
  std::map<uint32_t, uint32_t> bodies;  // where each begins and ends
  for (const Procedure* procedure : unit.procedures) {
    if (procedure->parent == nullptr && procedure->has_body)
      bodies[procedure->span.begin] = procedure->end_span.end;
  }
  abi::FingerprintHasher hash;
  hash.Add(unit.link_name);
  hash.Add(unit.file->path());
  const std::string_view text = unit.file->text();
  uint32_t at = 0;
  for (const auto& [begin, end] : bodies) {
    if (begin > at) hash.Add(text.substr(at, begin - at));
    at = std::max(at, end);
  }
  hash.Add(text.substr(at));
  for (const CheckedUnit* interface : unit.imports) hash.Add(interface->content_key);
  return keys_without_bodies_[&unit] = hash.Finish();
}

std::string ObjectCache::PathFor(const CheckedUnit& unit) {
  abi::FingerprintHasher hash;
  hash.Add(options_key_);
  if (!unit.is_standard) hash.Add(package_key_);
  hash.Add(unit.content_key);
  hash.Add(LayoutKey(unit));
  if (optimize_) {
    std::unordered_set<const CheckedUnit*> seen;
    for (const Procedure* procedure : layout_.imported_bodies().Of(unit)) {
      const CheckedUnit& other = *procedure->unit;
      if (other.file != nullptr) AddText(*procedure, hash);
      if (!procedure->is_inline && !seen.insert(&other).second) continue;
      // <*INLINE*>: the body may depend on more than its text (Checker::ContentKey).
      hash.Add(procedure->is_inline ? other.content_key : KeyWithoutBodies(other));
      hash.Add(LayoutKey(other));
    }
  }
  const std::string name =
      unit.name + (unit.is_interface ? ".i3-" : ".m3-") + HexOf(hash.Finish()) + ".o";
  if (unit.is_standard && !ready_directory_.empty()) {
    const std::string ready = ready_directory_ + "/" + name;
    if (HasWhole(ready)) return ready;
  }
  if (unit.is_standard && library_directory_ != package_directory_) {
    if (!ready_directory_.empty()) NoteUse(library_directory_ + "/" + name);
    return library_directory_ + "/" + name;
  }
  used_.insert(name);
  return package_directory_ + "/" + name;
}

std::string ObjectCache::PathForProgram() {
  abi::FingerprintHasher hash;
  hash.Add(options_key_);
  hash.Add(program_.name);
  for (const CheckedUnit* unit : program_.units) {
    hash.Add(unit->link_name);
    hash.Add(unit->content_key);
    hash.Add(LayoutKey(*unit));
  }
  const std::string name = program_.name + ".program-" + HexOf(hash.Finish()) + ".o";
  used_.insert(name);
  return package_directory_ + "/" + name;
}

bool ObjectCache::HasWhole(const std::string& path) {
  Elf64_Ehdr header;
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return false;
  // The table of sections is the last part.
  std::error_code error;
  return header.e_shoff + uint64_t{header.e_shnum} * header.e_shentsize <=
         fs::file_size(path, error);
}

void ObjectCache::RemoveUnused(const std::string& package_directory,
                               const std::set<std::string>& used) {
  std::error_code error;
  for (fs::directory_iterator it(package_directory, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".o" && !used.contains(it->path().filename().string())) {
      std::error_code ignored;
      fs::remove(it->path(), ignored);
    }
  }
}

}  // namespace tenure::compiler
