#include "compiler/package/build_commands.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>

#include "base/near_names.h"
#include "base/shell_word.h"
#include "compiler/package/bundle.h"
#include "compiler/package/classic_commands.h"
#include "compiler/package/installation.h"
#include "compiler/source/output_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

using quake::Call;
using quake::kAnyNumber;
using quake::Value;

namespace {

// One unit that a container template makes: $0 is the name prefix, $1, $2 the element interfaces.
struct InstanceUnit {
  const char* name;
  const char* suffix;  // .i3 or .m3
  const char* generic;
  const char* arguments;
};

struct ContainerTemplate {
  const char* name;  // with a small first letter: private to the package
  size_t elements;   // number of element interfaces
  std::vector<InstanceUnit> units;
  // Whether there is a second unit, with Transient before its name, whose types are rooted in
  // RootTransient.
  bool may_be_transient = false;
};

// docs/library.md, 9.
const std::vector<ContainerTemplate>& ContainerTemplates() {
  static const std::vector<ContainerTemplate> templates = {
      {"list", 1, {{"$0List", ".i3", "List", "$1"}, {"$0List", ".m3", "List", "$1"}}, true},
      {"list_sort",
       1,
       {{"$0ListSort", ".i3", "ListSort", "$1, $0List"}, {"$0ListSort", ".m3", "ListSort", "$1"}}},
      {"table",
       2,
       {{"$0Tbl", ".i3", "Table", "$1, $2"}, {"$0Tbl", ".m3", "Table", "$1, $2"}},
       true},
      {"sorted_table",
       2,
       {{"Sorted$0Tbl", ".i3", "SortedTable", "$1, $0Tbl"},
        {"Sorted$0Tbl", ".m3", "SortedTable", "$1, $2, $0Tbl"}},
       true},
      {"sequence",
       1,
       {{"$0Seq", ".i3", "Sequence", "$1"},
        {"$0SeqRep", ".i3", "SequenceRep", "$1, $0Seq"},
        {"$0Seq", ".m3", "Sequence", "$1, $0Seq, $0SeqRep"}},
       true},
      {"pqueue",
       1,
       {{"$0PQ", ".i3", "PQueue", "$1"},
        {"$0PQRep", ".i3", "PQueueRep", "$0PQ"},
        {"$0PQ", ".m3", "PQueue", "$1, $0PQ, $0PQRep"}},
       true},
      {"array_sort",
       1,
       {{"$0ArraySort", ".i3", "ArraySort", "$1"}, {"$0ArraySort", ".m3", "ArraySort", "$1"}}},
      {"mkSet", 1, {{"$0Set", ".i3", "Set", "$1"}, {"$0Set", ".m3", "Set", "$1"}}},
      {"mkSetDef",
       1,
       {{"$0SetDef", ".i3", "SetDef", "$0Set"},
        {"$0SetDef", ".m3", "SetDef", "$1, $0Set, $0RefTbl"}}},
      {"mkSetList",
       1,
       {{"$0SetList", ".i3", "SetList", "$0Set"},
        {"$0SetList", ".m3", "SetList", "$1, $0Set, $0List"}}},
      {"bPlus_tree",
       2,
       {{"$0BPlusTree", ".i3", "BPlusTree", "$1, $2, Sorted$0Tbl"},
        {"$0BPlusTree", ".m3", "BPlusTree", "$1, $2, $0Tbl, Sorted$0Tbl"}}},
  };
  return templates;
}

std::string Substitute(const char* pattern, const std::vector<std::string>& words) {
  std::string text;
  for (const char* at = pattern; *at != '\0'; ++at) {
    if (*at == '$') {
      text += words[static_cast<size_t>(*++at - '0')];
    } else {
      text += *at;
    }
  }
  return text;
}

// The path of a file for a command, which runs in another folder than the compiler.
std::string QuotedFile(const std::string& path) {
  std::error_code ignored;
  return QuotedForShell(fs::absolute(path, ignored).string());
}

std::string Uppercase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string Capitalized(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
}

std::string TableOf(const std::map<std::string, std::set<std::string>>& files) {
  std::string text;
  for (const auto& [directory, names] : files) {
    text += "@" + directory + "\n";
    for (const std::string& name : names) text += name + "\n";
  }
  return text;
}

class Commands {
 public:
  Commands(quake::Interpreter& interpreter, Package& package, std::string derived, Importer import,
           Overrider override_directory)
      : q_(interpreter),
        package_(package),
        derived_(std::move(derived)),
        import_(std::move(import)),
        override_(std::move(override_directory)) {}

  void Define(std::shared_ptr<Commands> self);
  // Reports the derived units whose files were not made.
  void ReportUnmade();

 private:
  using Function = std::function<void(const Call&)>;

  // Whether the command makes its units visible to other packages: decided by its spelling, or by
  // an extra last argument.
  static bool IsVisible(const Call& call, size_t argument) {
    if (argument < call.arguments.size()) {
      if (Uppercase(call.Text(argument)) == "VISIBLE") return true;
      if (Uppercase(call.Text(argument)) == "HIDDEN") return false;
    }
    return std::isupper(static_cast<unsigned char>(call.name[0])) != 0 ||
           call.name.starts_with("derived_") || call.name.starts_with("build_");
  }

  // Reports an argument that is there and is neither VISIBLE nor HIDDEN: often a second unit.
  static bool CheckVisibility(const Call& call, size_t argument) {
    if (argument >= call.arguments.size()) return true;
    const std::string& text = call.Text(argument);
    const std::string upper = Uppercase(text);
    if (text.empty() || upper == "VISIBLE" || upper == "HIDDEN") return true;
    const std::string first = call.arguments[0].is_text() ? call.Text(0) : "A";
    call.Fail("argument " + std::to_string(argument + 1) + " of " + call.name +
              " is VISIBLE or HIDDEN, not \"" + text + "\"; several units are an array: " +
              call.name + "([\"" + first + "\", \"" + text + "\"])");
    return false;
  }

  void AddUnit(const Call& call, const std::string& name, const std::string& suffix, bool visible) {
    const std::string path = q_.Absolute(name + suffix);
    const std::string made = derived_ + "/" + name + suffix;
    std::error_code ignored;
    q_.NoteInput(path);
    if (fs::is_regular_file(path, ignored)) {
      Add(path, visible);
    } else if (fs::is_regular_file(made, ignored)) {
      Add(made, visible);
    } else if (call.name.starts_with("derived_") || call.name.starts_with("Derived_")) {
      // A later command may make the file.
      Add(made, visible);
      unmade_.push_back({call.span, path, made});
    } else {
      call.Fail("there is no file '" + path + "'" + FileMeant(path));
    }
  }

  // The file in the folder of the missing file whose name is most like its name.
  static std::string FileMeant(const std::string& path) {
    NearNames near(fs::path(path).stem().string());
    const fs::path extension = fs::path(path).extension();
    std::error_code ignored;
    for (fs::directory_iterator it(fs::absolute(path, ignored).parent_path(), ignored), end;
         !ignored && it != end; it.increment(ignored)) {
      if (it->path().extension() == extension) near.Consider(it->path().stem().string());
    }
    return near.best().empty() ? "" : "; did you mean \"" + near.best() + "\"?";
  }

  void Add(const std::string& path, bool visible) {
    if (std::find(package_.units.begin(), package_.units.end(), path) == package_.units.end()) {
      package_.units.push_back(path);
    }
    if (visible) {
      package_.private_units.erase(path);
    } else {
      package_.private_units.insert(path);
    }
  }

  void AddDerived(const Call& call, const std::string& name, const std::string& suffix,
                  const std::string& contents, bool visible) {
    const std::string path = derived_ + "/" + name + suffix;
    if (const std::string problem = WriteIfChanged(path, contents); !problem.empty()) {
      return call.Fail(problem);
    }
    Add(path, visible);
  }

  void AddInstance(const Call& call, const std::string& name, const std::string& suffix,
                   const std::string& generic, const std::string& arguments, bool visible) {
    const std::string kind = suffix == ".i3" ? "INTERFACE " : "MODULE ";
    AddDerived(call, name, suffix,
               kind + name + " = " + generic + "(" + arguments + ") END " + name + ".\n", visible);
  }

  // A source in C, or for the assembler.
  void AddForeign(const Call& call, const std::string& name, const std::string& suffix) {
    const std::string file = name.ends_with(suffix) ? name : name + suffix;
    std::error_code ignored;
    std::string path = q_.Absolute(file);
    if (!fs::is_regular_file(path, ignored)) path = derived_ + "/" + file;
    if (!fs::is_regular_file(path, ignored)) {
      return call.Fail("there is no file '" + q_.Absolute(file) + "'");
    }
    package_.c_sources.push_back(path);
    package_.include_directories.push_back(q_.directory());
  }

  // The options of a C compiler for the folders of headers.
  std::string Includes() const {
    std::string options;
    for (const std::string& place : package_.include_directories)
      options += " -I" + QuotedFile(place);
    Installation installation;
    if (FindInstallation(&installation).ok())
      options += " -I" + QuotedFile(HeaderDirectory(installation));
    return options;
  }

  static std::string Joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
  }

  // The templates of imported packages come first. Each template is run once.
  void RunTemplates(const Package& imported, const Call& call);

  void DefineUnits();
  void DefineInstances();
  void DefineContainer(const std::string& name, const ContainerTemplate& container,
                       const char* root);
  void DefinePackages();
  void DefineForeign();
  void DefineUnitTable();
  void DefineBundles();

  void Define(const std::string& name, size_t least, size_t most, Function function) {
    // The commands live as long as the interpreter that calls them.
    q_.Define(name, {least, most, [self = self_.lock(), function](const Call& call) {
                       function(call);
                       return Value();
                     }});
  }
  // Defines both spellings: with a small first letter it is private to the package.
  void DefineBoth(const std::string& name, size_t least, size_t most, const Function& function) {
    Define(name, least, most, function);
    Define(Capitalized(name), least, most, function);
  }

  quake::Interpreter& q_;
  Package& package_;
  std::string derived_;
  Importer import_;
  Overrider override_;
  std::vector<std::pair<std::string, std::string>> resources_;  // of the next bundle: name, file
  std::set<const Package*> with_templates_;
  // Units that were named when neither of their possible files existed.
  struct Unmade {
    SourceSpan span;
    std::string source;  // path where a source would be
    std::string made;    // and a generated file
  };
  std::vector<Unmade> unmade_;
  std::weak_ptr<Commands> self_;
};

void Commands::ReportUnmade() {
  if (q_.failed()) return;
  for (const Unmade& unit : unmade_) {
    std::error_code ignored;
    if (fs::is_regular_file(unit.made, ignored)) continue;
    q_.Fail(unit.span,
            "the file '" + unit.made + "' was not made, and there is no '" + unit.source + "'");
  }
}

void Commands::DefineUnits() {
  const auto each = [this](const char* command, std::vector<std::string> suffixes) {
    DefineBoth(command, 1, 2, [this, suffixes](const Call& call) {
      if (!CheckVisibility(call, 1)) return;
      for (const std::string& name : call.Texts(0)) {
        for (const std::string& suffix : suffixes) {
          AddUnit(call, name, suffix, IsVisible(call, 1));
        }
      }
    });
  };
  each("interface", {".i3"});
  each("implementation", {".m3"});
  each("module", {".i3", ".m3"});
  each("generic_interface", {".ig"});
  each("generic_implementation", {".mg"});
  each("generic_module", {".ig", ".mg"});
  // Units that the package has named become visible to the packages that import it.
  for (const auto& [name, suffix] :
       {std::pair("export_interface", ".i3"), std::pair("export_generic_interface", ".ig"),
        std::pair("export_generic_implementation", ".mg")}) {
    Define(name, 1, 1, [this, suffix = std::string(suffix)](const Call& call) {
      for (const std::string& unit : call.Texts(0)) AddUnit(call, unit, suffix, true);
    });
  }
  for (const auto& [name, suffix] :
       {std::pair("hide_interface", ".i3"), std::pair("hide_generic_interface", ".ig"),
        std::pair("hide_generic_implementation", ".mg")}) {
    Define(name, 1, 1, [this, suffix = std::string(suffix)](const Call& call) {
      for (const std::string& unit : call.Texts(0)) AddUnit(call, unit, suffix, false);
    });
  }
  // The sources of a unit in another folder.
  const std::pair<const char*, std::vector<std::string>> elsewhere[] = {
      {"interface_at", {".i3"}}, {"implementation_at", {".m3"}}, {"module_at", {".i3", ".m3"}}};
  for (const auto& [name, suffixes] : elsewhere) {
    DefineBoth(name, 2, 3, [this, suffixes = suffixes](const Call& call) {
      if (!CheckVisibility(call, 2)) return;
      for (const std::string& suffix : suffixes) {
        AddUnit(call, call.Text(1) + "/" + call.Text(0), suffix, IsVisible(call, 2));
      }
    });
  }
  each("generic_intf", {".ig"});
  each("generic_impl", {".mg"});
  each("derived_interface", {".i3"});
  each("derived_implementation", {".m3"});
  each("derived_module", {".i3", ".m3"});
}

void Commands::DefineInstances() {
  DefineBoth("build_generic_intf", 3, 4, [this](const Call& call) {
    AddInstance(call, call.Text(0), ".i3", call.Text(1), Joined(call.Texts(2)), IsVisible(call, 3));
  });
  DefineBoth("build_generic_impl", 3, 4, [this](const Call& call) {
    AddInstance(call, call.Text(0), ".m3", call.Text(1), Joined(call.Texts(2)), IsVisible(call, 3));
  });
  for (const ContainerTemplate& container : ContainerTemplates()) {
    DefineContainer(container.name, container, "");
    if (!container.may_be_transient) continue;
    std::string name = container.name;
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    DefineContainer("transient" + name, container, "RootTransient, ");
  }
}

// `root`: the text before the arguments of each instance.
void Commands::DefineContainer(const std::string& name, const ContainerTemplate& container,
                               const char* root) {
  const Function instantiate = [this, &container, root](const Call& call) {
    std::vector<std::string> words;
    for (size_t i = 0; i <= container.elements; ++i) words.push_back(call.Text(i));
    for (const InstanceUnit& unit : container.units) {
      AddInstance(call, Substitute(unit.name, words), unit.suffix, unit.generic,
                  root + Substitute(unit.arguments, words),
                  IsVisible(call, 1 + container.elements));
    }
  };
  DefineBoth(name, 1 + container.elements, 1 + container.elements, instantiate);
  // The form whose last argument is the visibility.
  Define("_" + name, 2 + container.elements, 2 + container.elements, instantiate);
}

void Commands::RunTemplates(const Package& imported, const Call& call) {
  if (!with_templates_.insert(&imported).second) return;
  for (const Package* further : imported.imports) RunTemplates(*further, call);
  for (const std::string& file : imported.templates) q_.RunFile(file, call.span);
}

void Commands::DefinePackages() {
  const Function import = [this](const Call& call) {
    const Package* imported = import_(call);
    if (imported != nullptr) RunTemplates(*imported, call);
  };
  Define("import", 1, 1, import);
  Define("import_version", 2, 2, import);
  for (const char* name : {"import_obj", "pgm_object", "Pgm_object", "import_object"}) {
    Define(name, 1, 2, [this](const Call& call) {
      for (const std::string& object : call.Texts(0)) {
        const std::string extension = fs::path(object).extension().string();
        const bool named = extension == ".o" || extension == ".a" || extension == ".so";
        package_.link_arguments.push_back(q_.Input(named ? object : object + ".o"));
      }
    });
  }
  // The value in SYSTEM_LIBS for a library of the system, else the library of this name.
  Define("import_sys_lib", 1, 1, [this](const Call& call) {
    const Value libraries = q_.Get("SYSTEM_LIBS");
    const std::string& name = call.Text(0);
    if (libraries.kind() == Value::Kind::kTable && libraries.table().count(name) != 0) {
      const Value& words = libraries.table()[name];
      if (words.is_text()) {
        package_.link_arguments.push_back(words.text());
      } else if (words.kind() == Value::Kind::kArray) {
        for (const Value& word : words.array()) package_.link_arguments.push_back(word.text());
      }
    } else {
      package_.link_arguments.push_back("-l" + name);
    }
  });
  const Function import_lib = [this](const Call& call) {
    if (call.arguments.size() == 2 && !call.Text(1).empty()) {
      package_.link_arguments.push_back("-L" + call.Text(1));
    }
    package_.link_arguments.push_back("-l" + call.Text(0));
  };
  for (const char* name : {"import_lib", "import_otherlib", "import_other_lib"}) {
    Define(name, 1, 2, import_lib);
  }
  for (const char* name : {"import_m3lib", "import_m3_lib", "import_package"}) {
    Define(name, 1, 2, import);
  }
  for (const char* name : {"override", "override_package"}) {
    Define(name, 2, 2,
           [this](const Call& call) { override_(call.Text(0), q_.Absolute(call.Text(1))); });
  }
  Define("include_dir", 1, 1, [this](const Call& call) {
    q_.RunFile(q_.Absolute(call.Text(0) + "/m3makefile"), call.span);
  });
  DefineBoth("template", 1, 1, [this](const Call& call) {
    std::error_code ignored;
    std::string path = q_.Absolute(call.Text(0));
    if (!fs::is_regular_file(path, ignored)) path += ".tmpl";
    // The package itself may use the units that it offers.
    if (q_.RunFile(path, call.span)) package_.templates.push_back(path);
  });
  DefineBoth("program", 1, 1, [this](const Call& call) {
    const std::string& name = call.Text(0);
    if (name.empty() || name.find('/') != std::string::npos) {
      return call.Fail("a program's name is not empty and has no '/'");
    }
    for (const ProgramOrder& other : package_.programs) {
      if (other.name == name) return call.Fail("the package makes a program " + name + " already");
    }
    package_.programs.push_back({name, package_.units.size()});
  });
  DefineBoth("library", 1, 1, [this](const Call& call) { package_.library = call.Text(0); });
}

void Commands::DefineForeign() {
  for (const char* suffix : {".c", ".s"}) {
    DefineBoth(std::string(1, suffix[1]) + "_source", 1, 2,
               [this, suffix = std::string(suffix)](const Call& call) {
                 for (const std::string& name : call.Texts(0)) AddForeign(call, name, suffix);
               });
  }
  Define("derived_c", 1, 1, [this](const Call& call) {
    package_.c_sources.push_back(derived_ + "/" + call.Text(0) + ".c");
  });
  DefineBoth("h_source", 1, 2,
             [this](const Call&) { package_.include_directories.push_back(q_.directory()); });
  // Makes a program in C only, from the C sources so far, in the folder of generated files. Build
  // files run it there to generate sources.
  DefineBoth("c_program", 1, 1, [this](const Call& call) {
    std::string command = "@gcc -o " + QuotedFile(q_.Made(call.Text(0))) + Includes();
    for (const std::string& source : package_.c_sources) command += " " + QuotedFile(source);
    for (const std::string& argument : package_.link_arguments)
      command += " " + QuotedForShell(argument);
    package_.c_sources.clear();
    q_.CallByName("exec", {Value(command)}, call.span);
  });
  // As the configurations of CM3 define it: a source in C to an object file, at once. The last two
  // arguments choose optimization and debugging.
  q_.Define("compile_c", {2, 5, [this](const Call& call) {
                            std::string command = "@gcc -c " + QuotedFile(q_.Input(call.Text(0))) +
                                                  " -o " + QuotedFile(q_.Made(call.Text(1))) +
                                                  Includes();
                            for (const std::string& option : call.Texts(2))
                              command += " " + QuotedForShell(option);
                            return q_.CallByName("q_exec", {Value(command)}, call.span);
                          }});
}

// A table of the units that the package may import, for generators of stubs (M3SEARCH_TABLES): a
// line @DIRECTORY, then a line for each file in it. The library's units come last, so that a
// package's own unit of the same name is found first.
void Commands::DefineUnitTable() {
  Define("generate_tfile", 0, 0, [this](const Call& call) {
    std::map<std::string, std::set<std::string>> files;  // by directory
    std::set<const Package*> seen;
    std::vector<const Package*> packages = {&package_};
    while (!packages.empty()) {
      const Package* const package = packages.back();
      packages.pop_back();
      if (!seen.insert(package).second) continue;
      packages.insert(packages.end(), package->imports.begin(), package->imports.end());
      for (const std::string& unit : package->units) {
        const fs::path path(unit);
        files[path.parent_path().string()].insert(path.filename().string());
      }
    }
    std::string text = TableOf(files);
    Installation installation;
    if (const Problem problem = FindInstallation(&installation); !problem.ok()) {
      return call.Fail(problem.text());
    }
    files.clear();
    std::error_code ignored;
    for (fs::recursive_directory_iterator it(installation.library_directory, ignored), end;
         !ignored && it != end; it.increment(ignored)) {
      const fs::path& path = it->path();
      if (!IsSourceName(path.string())) continue;
      files[path.parent_path().string()].insert(path.filename().string());
    }
    text += TableOf(files);
    const std::string problem = WriteIfChanged(derived_ + "/" + kUnitTable, text);
    if (!problem.empty()) call.Fail(problem);
  });
}

void Commands::DefineBundles() {
  const Function resource = [this](const Call& call) {
    for (const std::string& name : call.Texts(0)) resources_.emplace_back(name, q_.Input(name));
  };
  for (const char* name : {"resource", "bundle_resource", "derived_resource"}) {
    DefineBoth(name, 1, 1, resource);
  }
  for (const char* name : {"resource_named", "derived_resource_named"}) {
    DefineBoth(name, 2, 2, [this](const Call& call) {
      resources_.emplace_back(call.Text(0), q_.Input(call.Text(1)));
    });
  }
  const Function bundle = [this](const Call& call) {
    const std::string& name = call.Text(0);
    Problem problem;
    const std::string module = BundleModule(name, resources_, &problem);
    if (!problem.ok()) return call.Fail(problem.text());
    AddDerived(call, name, ".i3", BundleInterface(name), IsVisible(call, kAnyNumber));
    AddDerived(call, name, ".m3", module, false);
    resources_.clear();
  };
  DefineBoth("bundle", 1, 1, bundle);
  DefineBoth("gen_bundle", 1, 1, bundle);
}

void Commands::Define(std::shared_ptr<Commands> self) {
  self_ = self;
  DefineClassicCommands(q_);
  DefineClassicVariables(q_, package_, derived_);
  DefineUnits();
  DefineInstances();
  DefinePackages();
  DefineForeign();
  DefineUnitTable();
  DefineBundles();
}

}  // namespace

std::function<void()> DefineBuildCommands(quake::Interpreter& interpreter, Package& package,
                                          const std::string& derived_directory, Importer import,
                                          Overrider override_directory) {
  auto commands = std::make_shared<Commands>(interpreter, package, derived_directory,
                                             std::move(import), std::move(override_directory));
  commands->Define(commands);
  return [commands] { commands->ReportUnmade(); };
}

}  // namespace tenure::compiler
