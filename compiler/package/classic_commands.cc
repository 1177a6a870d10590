#include "compiler/package/classic_commands.h"

#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "base/shell_word.h"

namespace tenure::compiler {

namespace fs = std::filesystem;

using quake::Call;
using quake::kAnyNumber;
using quake::Value;

namespace {

// Options of other compilers, and commands that install or document.
constexpr const char* kIgnored[] = {
    // options
    "m3_option", "remove_m3_option", "m3_optimize", "m3_debug", "m3_no_optimize", "m3_finale",
    "m3_front_option", "m3_back_option", "m3_link_option", "m3_pass_option", "m3_profile",
    "m3_optimise", "m3_compile_only", "m3_flags", "build_standalone", "build_shared",
    "build_nonshared", "no_m3_main", "set_coverage", "noDefaultTarget", "setup_uses",
    "use_default_lib", "define_lib", "generate_tags", "emacs_tags", "deriveds", "version_stamp",
    "gen_m3exports", "pkg_subdir", "PkgSubdir", "source_path", "confirm", "import_m3makefile",
    "import_template", "pkg_subdirs", "m3_source", "m3_cc_option", "TakeSnapshot", "m3_coverage",
    "reset_cache",
    // sources of other kinds
    "proto_source", "pgm_source", "Pgm_source", "doc_source", "Doc_source", "derived_h", "source",
    "Source",
    // installation
    "install_sources", "install_source", "install_file", "install_files", "install_derived",
    "install_deriveds", "install_derived_link", "install_derived_symbolic_link", "install_link",
    "install_link_file", "install_link_to_derived", "install_symbolic_link", "install_dir",
    "install_headers", "install_man", "install_doc", "BindExport", "BinExport", "LibdExport",
    "LibExport", "DocExport", "HtmlExport", "MandExport", "ManExport", "Man1Export", "Man3Export",
    "Man5Export", "Man6Export", "Man7Export", "Man8Export", "EmacsdExport", "EmacsExport",
    "hide_type", "hide_exception", "hide_variable", "hide_procedure", "hide_const", "InstallExport",
    "RootExport", "PkgExport", "WebExport", "ship_man", "make_lib_link", "Header", "header",
    "Headers", "InstallProgram", "InstallLibrary", "DocDir", "ManDir", "EmacsDir",
    // documents
    "manPage", "ManPage", "man_page", "Man_page", "documentation", "Documentation", "html", "Html",
    "gnuemacs", "Gnuemacs", "CompiledGnuemacs", "compiledGnuemacs", "zeus_doc", "postscript"};

// Generators of source text.
constexpr std::pair<const char*, const char*> kTools[] = {
    {"sharedobj", "the stub generator of shared objects"},
    {"sharedObj", "the stub generator of shared objects"},
    {"stablegen", "the stub generator of stable objects"},
    {"stable", "the stub generator of stable objects"},
    {"token", "a generator of lexers"},
    {"lexer", "a generator of lexers"},
    {"flex", "a generator of lexers"},
    {"lex", "a generator of lexers"},
    {"ktok", "a generator of lexers"},
    {"klex", "a generator of lexers"},
    {"parser", "a generator of parsers"},
    {"yacc", "a generator of parsers"},
    {"bison", "a generator of parsers"},
    {"kyacc", "a generator of parsers"},
    {"kext", "a generator of parsers"},
    {"juno", "the compiler of Juno"},
    {"zume", "the generator of algorithm events"},
    {"zeus", "the generator of algorithm events"},
    {"obliq", "the Obliq compiler"},
    {"form_bundle", "the form library"},
    {"gnumake", "a makefile of make"},
    {"gmake", "a makefile of make"},
    {"imake", "a makefile of imake"}};

void FailWithoutTool(const Call& call, const char* tool) {
  call.Fail(call.name + " needs " + tool +
            ", which is not part of this system: generate the sources elsewhere and name them "
            "here, or import a package whose template defines " +
            call.name);
}

// Stubs of the network object type I.T, units I_T_vN: made by the program `stubgen` of the package
// of that name, if there is one, from the units that the package may import.
Value MakeNetworkStubs(const Call& call, const std::string& version) {
  constexpr const char* kGenerator = "stubgen";
  quake::Interpreter& q = call.interpreter;
  const std::string interface = call.Text(0), type = call.Text(1);
  if (q.failed()) return {};
  const std::string generator = q.FindTool(call, kGenerator);
  if (q.failed()) return {};
  if (generator.empty()) {
    FailWithoutTool(call, "the stub generator of network objects (a package stubgen)");
    return {};
  }
  const std::string unit = interface + "_" + type + "_" + version;
  const bool visible = std::isupper(static_cast<unsigned char>(call.name[0])) != 0;
  const Value visibility(std::string(visible ? "VISIBLE" : "HIDDEN"));
  const auto run = [&](const char* name, std::vector<Value> arguments) {
    if (!q.failed()) q.CallByName(name, std::move(arguments), call.span);
  };
  run("generate_tfile", {});
  run("exec", {Value("@" + QuotedForShell(generator)), Value("-" + version), Value("-sno"),
               Value(interface + "." + type), Value(std::string("-T") + kUnitTable)});
  run("derived_interface", {Value(unit), visibility});
  run("derived_implementation", {Value(unit), visibility});
  return {};
}

// Whether a call of an undefined procedure can be ignored, judged by its name: it installs,
// documents, or sets an option. Packages were written for many sites, each with its own templates.
bool CanBeIgnored(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* start :
       {"install", "ship", "doc", "man_", "manual", "html", "latex", "readme", "m3_"}) {
    if (name.starts_with(start)) return true;
  }
  for (const char* part : {"manpage", "emacs", "export", "postscript", "htmlsrc"}) {
    if (name.find(part) != std::string::npos) return true;
  }
  static const std::set<std::string> names = {"man", "mand", "tex", "noweb", "tags", "etags"};
  return names.count(name) != 0 ||
         (name.size() == 4 && name.starts_with("man") && name[3] >= '1' && name[3] <= '9');
}

// The systems of which build files ask whether they are built for it: IsDarwin(), IsLinux().
constexpr const char* kSystems[] = {"Linux",   "Darwin",  "MacOS",  "FreeBSD", "NetBSD",
                                    "OpenBSD", "Solaris", "SunOS",  "HPUX",    "AIX",
                                    "Irix",    "OSF",     "Cygwin", "MinGW",   "Interix",
                                    "Windows", "Win32",   "NT",     "Unix",    "Posix"};

// Whether the target, "AMD64_LINUX" for example, has this system.
bool IsSystemOf(std::string system, std::string target) {
  const auto capitals = [](std::string& text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  };
  capitals(system);
  capitals(target);
  const bool is_windows = target.find("NT") == 0 || target.find("_NT") != std::string::npos ||
                          target.find("WIN") == 0 || target.find("MINGW") != std::string::npos;
  if (system == "WINDOWS" || system == "WIN32" || system == "NT") return is_windows;
  if (system == "UNIX" || system == "POSIX") return !is_windows;
  return target.find(system) != std::string::npos;
}

// Variables that makefiles read without testing whether they are defined.
constexpr const char* kEmptyVariables[] = {
    "PROFILING",        "M3_OPTIONS",        "M3OPTIONS",           "M3_COVERAGE",
    "BUILD_STANDALONE", "M3_SHARED",         "SHARED_BOOT",         "PLATFORM",
    "M3_KEEP_CACHE",    "M3_DEBUG",          "M3_VERBOSE",          "INSTALL_SOURCES",
    "NO_M3_PACKAGES",   "M3_COMPILE_FAILED", "PKG_OVERRIDES",       "M3_SPLIT_NAMES",
    "M3_MAIN_IN_C",     "M3_WINDOWS_GUI",    "M3_PORTABLE_RUN_PATH"};

// The flags that a configuration passes to the parts of another compiler; makefiles add to them.
constexpr const char* kFlagLists[] = {"M3_FRONT_FLAGS", "M3_BACK_FLAGS", "M3_CC_FLAGS"};

}  // namespace

void DefineClassicCommands(quake::Interpreter& q) {
  for (const char* name : kIgnored) {
    q.Define(name, {0, kAnyNumber, [](const Call&) { return Value(); }});
  }
  q.set_unknown_call([warned = std::set<std::string>()](const Call& call) mutable {
    if (!CanBeIgnored(call.name)) return false;
    if (warned.insert(call.name).second) {
      call.interpreter.Warn(call.span, call.name +
                                           " is not known and is ignored: by its name it only "
                                           "installs, documents, or sets an option");
    }
    return true;
  });
  // Tests for the system that the package is built for, or for that of a target's name.
  for (const char* system : kSystems) {
    q.Define("Is" + std::string(system), {0, 1, [system = std::string(system)](const Call& call) {
                                            const std::string target =
                                                call.arguments.empty() ? kTargetName : call.Text(0);
                                            return Value::OfBool(IsSystemOf(system, target));
                                          }});
  }
  // There is no window system: packages that test for one build nothing, or something simpler.
  q.Define("HasTrestle", {0, 0, [](const Call&) { return Value::OfBool(false); }});
  const auto define_both = [&](std::string name, const quake::Builtin& builtin) {
    q.Define(name, builtin);
    if (name[0] < 'a' || name[0] > 'z') return;
    name[0] = static_cast<char>(name[0] - 32);
    q.Define(name, builtin);
  };
  for (const auto& [name, tool] : kTools) {
    define_both(name, {0, kAnyNumber, [tool = tool](const Call& call) {
                         FailWithoutTool(call, tool);
                         return Value();
                       }});
  }
  for (const auto& [name, version] :
       {std::pair("netobj", "v1"), std::pair("netobjv1", "v1"), std::pair("netobjv2", "v2")}) {
    define_both(name, {2, 2, [version = version](const Call& call) {
                         return MakeNetworkStubs(call, version);
                       }});
  }
}

void DefineClassicVariables(quake::Interpreter& q, const Package& package,
                            const std::string& scratch_directory) {
  const std::pair<const char*, const char*> variables[] = {{"TARGET", kTargetName},
                                                           {"HOST", kTargetName},
                                                           {"BUILD_DIR", kTargetName},
                                                           {"TARGET_OS", "LINUX"},
                                                           {"HOST_OS", "LINUX"},
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
                                                           {"HOST_SL", "/"},
                                                           {"HOST_PATH_SEP", "/"},
                                                           {"PATH_SEP", "/"},
                                                           {"CR", "\n"},
                                                           {"EOL", "\n"},
                                                           {"HOST_EOL", "\n"},
                                                           {"TARGET_EOL", "\n"},
                                                           {"QRPCR", "\n"},
                                                           {"EMPTY", ""},
                                                           {"VISIBLE", "VISIBLE"},
                                                           {"HIDDEN", "HIDDEN"},
                                                           {"COMPILER", "tenure"},
                                                           {"SYSTEM_CC", "gcc"},
                                                           {"M3_PROFILING", ""},
                                                           {"M3_OPTIMIZE", "TRUE"},
                                                           {"HAVE_SHARED_LIBS", ""},
                                                           {"BUILD_SHARED", ""},
                                                           {"OBJ_EXT", ".o"},
                                                           {"EXE_EXT", ""},
                                                           {"PGM_EXT", ""},
                                                           {"LIB_PRE", "lib"},
                                                           {"LIB_EXT", ".a"}};
  for (const auto& [name, value] : variables) q.Set(name, Value(value));
  q.Set("PACKAGE", Value(package.name));
  q.Set("BUILD_PACKAGE", Value(package.name));
  q.Set("PACKAGE_DIR", Value(package.directory));
  q.Set("SYSTEM_LIBS", Value::OfTable({{"LIBC", Value::OfArray({Value("-lm")})},
                                       {"M", Value::OfArray({Value("-lm")})},
                                       {"TCP", Value::OfArray({})}}));
  q.Set("SYSTEM_LIBORDER", Value::OfArray({Value("TCP"), Value("LIBC"), Value("M")}));

  fs::path around = fs::path(package.directory).parent_path();
  if (fs::path(package.directory).filename() == "src") around = around.parent_path();
  for (const char* name : {"ROOT", "CM3_ROOT", "CM3ROOT"}) q.SetFallback(name, around.string());
  q.SetFallback("PKG_USE", around.string());
  // The name of the compiler, which packages for several compilers ask for: CM3 is the nearest.
  q.Set("CM3_VERSION", Value("5.8.6"));
  q.Set("CM3_VERSION_NUMBER", Value("050806"));
  // The builder's mode: it builds, and does not clean, find or install.
  q.Set("_all", Value::OfBool(true));
  q.SetFallback("M3SEARCH_TABLES", std::string("-T") + kUnitTable);
  for (const char* name : kEmptyVariables) q.SetFallback(name, "");
  for (const char* name : kFlagLists) q.SetFallback(name, Value::OfArray({}));
  const std::string root = scratch_directory + "/install";
  q.SetFallback("INSTALL_ROOT", root);
  for (const char* place : {"BIN", "LIB", "PKG", "DOC", "EMACS", "MAN", "HTML", "WWW", "CONFIG"}) {
    std::string folder = place;
    for (char& c : folder) c = static_cast<char>(c + 32);
    q.SetFallback(std::string(place) + "_INSTALL", root + "/" + folder);
    if (folder != "pkg") q.SetFallback(std::string(place) + "_USE", root + "/" + folder);
  }
}

}  // namespace tenure::compiler
