#include "compiler/driver/build_commands.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "compiler/driver/bundle.h"
#include "compiler/source/source_file.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

using quake::Call;
using quake::kAnyNumber;
using quake::Value;

std::string WriteIfChanged(const std::string& path, const std::string& contents) {
  std::string present;
  if (ReadWholeFile(path, present) == 0 && present == contents) return "";
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << contents;
  file.close();
  return file ? "" : "cannot write '" + path + "'";
}

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
  size_t elements;   // how many element interfaces
  std::vector<InstanceUnit> units;
};

// docs/library.md, 9.
const std::vector<ContainerTemplate>& ContainerTemplates() {
  static const std::vector<ContainerTemplate> templates = {
      {"list", 1, {{"$0List", ".i3", "List", "$1"}, {"$0List", ".m3", "List", "$1"}}},
      {"list_sort",
       1,
       {{"$0ListSort", ".i3", "ListSort", "$1, $0List"}, {"$0ListSort", ".m3", "ListSort", "$1"}}},
      {"table", 2, {{"$0Tbl", ".i3", "Table", "$1, $2"}, {"$0Tbl", ".m3", "Table", "$1, $2"}}},
      {"sorted_table",
       2,
       {{"Sorted$0Tbl", ".i3", "SortedTable", "$1, $0Tbl"},
        {"Sorted$0Tbl", ".m3", "SortedTable", "$1, $2, $0Tbl"}}},
      {"sequence",
       1,
       {{"$0Seq", ".i3", "Sequence", "$1"},
        {"$0SeqRep", ".i3", "SequenceRep", "$1, $0Seq"},
        {"$0Seq", ".m3", "Sequence", "$1, $0Seq, $0SeqRep"}}},
      {"pqueue",
       1,
       {{"$0PQ", ".i3", "PQueue", "$1"},
        {"$0PQRep", ".i3", "PQueueRep", "$0PQ"},
        {"$0PQ", ".m3", "PQueue", "$1, $0PQ, $0PQRep"}}},
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

std::string Capitalized(std::string name) {
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return name;
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

 private:
  using Function = std::function<void(const Call&)>;

  void AddUnit(const Call& call, const std::string& name, const std::string& suffix) {
    const std::string path = q_.Absolute(name + suffix);
    const std::string made = derived_ + "/" + name + suffix;
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
      package_.units.push_back(path);
    } else if (fs::is_regular_file(made, ignored)) {
      package_.units.push_back(made);
    } else {
      call.Fail("there is no file '" + path + "'");
    }
  }

  void AddDerived(const Call& call, const std::string& name, const std::string& suffix,
                  const std::string& contents) {
    const std::string path = derived_ + "/" + name + suffix;
    if (const std::string problem = WriteIfChanged(path, contents); !problem.empty()) {
      return call.Fail(problem);
    }
    if (std::find(package_.units.begin(), package_.units.end(), path) == package_.units.end()) {
      package_.units.push_back(path);
    }
  }

  void AddInstance(const Call& call, const std::string& name, const std::string& suffix,
                   const std::string& generic, const std::string& arguments) {
    const std::string kind = suffix == ".i3" ? "INTERFACE " : "MODULE ";
    AddDerived(call, name, suffix,
               kind + name + " = " + generic + "(" + arguments + ") END " + name + ".\n");
  }

  static std::string Joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
  }

  void DefineUnits();
  void DefineInstances();
  void DefinePackages();
  void DefineForeign();
  void DefineBundles();
  void DefineIgnored();
  void DefineVariables();

  void Define(const std::string& name, size_t least, size_t most, Function function) {
    // The commands live as long as the interpreter that calls them.
    q_.Define(name, {least, most, [self = self_.lock(), function](const Call& call) {
                       function(call);
                       return Value();
                     }});
  }
  // In both spellings: with a small first letter it is private to the package.
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
  std::weak_ptr<Commands> self_;
};

void Commands::DefineUnits() {
  const auto each = [this](const char* command, std::vector<std::string> suffixes) {
    DefineBoth(command, 1, 2, [this, suffixes](const Call& call) {
      for (const std::string& name : call.Texts(0)) {
        for (const std::string& suffix : suffixes) AddUnit(call, name, suffix);
      }
    });
  };
  each("interface", {".i3"});
  each("implementation", {".m3"});
  each("module", {".i3", ".m3"});
  each("generic_interface", {".ig"});
  each("generic_implementation", {".mg"});
  each("generic_module", {".ig", ".mg"});
  each("derived_interface", {".i3"});
  each("derived_implementation", {".m3"});
  each("derived_module", {".i3", ".m3"});
}

void Commands::DefineInstances() {
  DefineBoth("build_generic_intf", 3, 4, [this](const Call& call) {
    AddInstance(call, call.Text(0), ".i3", call.Text(1), Joined(call.Texts(2)));
  });
  DefineBoth("build_generic_impl", 3, 4, [this](const Call& call) {
    AddInstance(call, call.Text(0), ".m3", call.Text(1), Joined(call.Texts(2)));
  });
  for (const ContainerTemplate& container : ContainerTemplates()) {
    DefineBoth(container.name, 1 + container.elements, 1 + container.elements,
               [this, &container](const Call& call) {
                 std::vector<std::string> words;
                 for (size_t i = 0; i <= container.elements; ++i) words.push_back(call.Text(i));
                 for (const InstanceUnit& unit : container.units) {
                   AddInstance(call, Substitute(unit.name, words), unit.suffix, unit.generic,
                               Substitute(unit.arguments, words));
                 }
               });
  }
}

void Commands::DefinePackages() {
  const Function import = [this](const Call& call) {
    const Package* imported = import_(call);
    if (imported == nullptr) return;
    for (const std::string& file : imported->templates) q_.RunFile(file, call.span);
  };
  Define("import", 1, 1, import);
  Define("import_version", 2, 2, import);
  Define("import_obj", 1, 1, [this](const Call& call) {
    package_.link_arguments.push_back(q_.Absolute(call.Text(0) + ".o"));
  });
  Define("import_lib", 1, 2, [this](const Call& call) {
    if (call.arguments.size() == 2 && !call.Text(1).empty()) {
      package_.link_arguments.push_back("-L" + call.Text(1));
    }
    package_.link_arguments.push_back("-l" + call.Text(0));
  });
  Define("override", 2, 2,
         [this](const Call& call) { override_(call.Text(0), q_.Absolute(call.Text(1))); });
  Define("include_dir", 1, 1, [this](const Call& call) {
    q_.RunFile(q_.Absolute(call.Text(0) + "/m3makefile"), call.span);
  });
  DefineBoth("template", 1, 1, [this](const Call& call) {
    std::error_code ignored;
    std::string path = q_.Absolute(call.Text(0));
    if (!fs::is_regular_file(path, ignored)) path += ".tmpl";
    // The package itself may use what it offers.
    if (q_.RunFile(path, call.span)) package_.templates.push_back(path);
  });
  DefineBoth("program", 1, 1, [this](const Call& call) {
    if (!package_.program.empty()) {
      return call.Fail("a package makes one program; " + package_.program +
                       " was the first: put the others into packages of their own");
    }
    package_.program = call.Text(0);
    if (package_.program.empty() || package_.program.find('/') != std::string::npos) {
      call.Fail("a program's name is not empty and has no '/'");
    }
  });
  DefineBoth("library", 1, 1, [this](const Call& call) { package_.library = call.Text(0); });
}

void Commands::DefineForeign() {
  DefineBoth("c_source", 1, 2, [this](const Call& call) {
    for (const std::string& name : call.Texts(0)) {
      std::error_code ignored;
      std::string path = q_.Absolute(name + ".c");
      if (!fs::is_regular_file(path, ignored)) path = derived_ + "/" + name + ".c";
      if (!fs::is_regular_file(path, ignored)) {
        return call.Fail("there is no file '" + q_.Absolute(name + ".c") + "'");
      }
      package_.c_sources.push_back(path);
      package_.include_directories.push_back(q_.directory());
    }
  });
  Define("derived_c", 1, 1, [this](const Call& call) {
    package_.c_sources.push_back(derived_ + "/" + call.Text(0) + ".c");
  });
  DefineBoth("h_source", 1, 2,
             [this](const Call&) { package_.include_directories.push_back(q_.directory()); });
}

void Commands::DefineBundles() {
  const Function resource = [this](const Call& call) {
    for (const std::string& name : call.Texts(0)) resources_.emplace_back(name, q_.Absolute(name));
  };
  for (const char* name : {"resource", "Resource", "bundle_resource"}) {
    Define(name, 1, 1, resource);
  }
  DefineBoth("resource_named", 2, 2, [this](const Call& call) {
    resources_.emplace_back(call.Text(0), q_.Absolute(call.Text(1)));
  });
  const Function bundle = [this](const Call& call) {
    const std::string& name = call.Text(0);
    std::string problem;
    const std::string module = BundleModule(name, resources_, &problem);
    if (!problem.empty()) return call.Fail(problem);
    AddDerived(call, name, ".i3", BundleInterface(name));
    AddDerived(call, name, ".m3", module);
    resources_.clear();
  };
  DefineBoth("bundle", 1, 1, bundle);
  DefineBoth("gen_bundle", 1, 1, bundle);
}

// What there is nothing to do for: options of other compilers, and what installs documents.
void Commands::DefineIgnored() {
  for (const char* name : {"m3_option",
                           "remove_m3_option",
                           "m3_optimize",
                           "m3_debug",
                           "m3_no_optimize",
                           "m3_finale",
                           "m3_front_option",
                           "m3_link_option",
                           "build_standalone",
                           "build_shared",
                           "noDefaultTarget",
                           "install_sources",
                           "install_file",
                           "install_derived",
                           "install_link",
                           "install_link_to_derived",
                           "BindExport",
                           "LibdExport",
                           "DocExport",
                           "HtmlExport",
                           "MandExport",
                           "InstallExport",
                           "manPage",
                           "ManPage",
                           "man_page",
                           "documentation",
                           "html",
                           "Html",
                           "gnuemacs",
                           "Gnuemacs",
                           "confirm",
                           "source_path",
                           "pgm_source",
                           "proto_source",
                           "setup_uses",
                           "no_m3_main",
                           "set_coverage",
                           "import_m3makefile",
                           "deriveds",
                           "generate_tags",
                           "emacs_tags",
                           "ship_man"}) {
    Define(name, 0, kAnyNumber, [](const Call&) {});
  }
}

void Commands::DefineVariables() {
  const std::pair<const char*, const char*> variables[] = {{"TARGET", "AMD64_LINUX"},
                                                           {"HOST", "AMD64_LINUX"},
                                                           {"BUILD_DIR", "AMD64_LINUX"},
                                                           {"TARGET_OS", "LINUX"},
                                                           {"TARGET_ARCH", "AMD64"},
                                                           {"OS_TYPE", "POSIX"},
                                                           {"HOST_OS_TYPE", "POSIX"},
                                                           {"TARGET_OS_TYPE", "POSIX"},
                                                           {"WORD_SIZE", "64BITS"},
                                                           {"ENDIAN", "LITTLE"},
                                                           {"TARGET_ENDIAN", "LITTLE"},
                                                           {"NAMING_CONVENTIONS", "0"},
                                                           {"TARGET_NAMING", "0"},
                                                           {"SL", "/"},
                                                           {"HOST_PATH_SEP", "/"},
                                                           {"PATH_SEP", "/"},
                                                           {"CR", "\n"},
                                                           {"EOL", "\n"},
                                                           {"EMPTY", ""},
                                                           {"VISIBLE", "VISIBLE"},
                                                           {"HIDDEN", "HIDDEN"},
                                                           {"COMPILER", "tenure"},
                                                           {"M3_PROFILING", ""},
                                                           {"M3_OPTIMIZE", "TRUE"},
                                                           {"HAVE_SHARED_LIBS", ""},
                                                           {"BUILD_SHARED", ""}};
  for (const auto& [name, value] : variables) q_.Set(name, Value(value));
  q_.Set("PACKAGE", Value(package_.name));
  q_.Set("PACKAGE_DIR", Value(package_.directory));
  q_.Set("SYSTEM_LIBS", Value::OfTable({}));
  q_.Set("SYSTEM_LIBORDER", Value::OfArray({}));
}

void Commands::Define(std::shared_ptr<Commands> self) {
  self_ = self;
  DefineIgnored();
  DefineUnits();
  DefineInstances();
  DefinePackages();
  DefineForeign();
  DefineBundles();
  DefineVariables();
}

}  // namespace

void DefineBuildCommands(quake::Interpreter& interpreter, Package& package,
                         const std::string& derived_directory, Importer import,
                         Overrider override_directory) {
  auto commands = std::make_shared<Commands>(interpreter, package, derived_directory,
                                             std::move(import), std::move(override_directory));
  commands->Define(commands);
}

}  // namespace tenure::compiler
