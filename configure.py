#!/usr/bin/env python3
"""Writes build.ninja, and DIR/local.ninja for what differs by machine.

build.ninja is checked in and is the same on every machine. It runs this script again by itself when
the script or the set of source files changes. Sources are found by folder: adding a file is enough.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
from typing import Dict, List, Optional

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

from ninja_writer import NinjaWriter  # noqa: E402  (found through the path just added)
from system_packages import LLVM_VERSIONS  # noqa: E402

# What opens a store and uses it: all rooms of store/ but the one that serves a store to others,
# and the one that makes operations fail for tests.
STORE = ["store", "store/remote", "store/network", "store/bdb", "store/directory", "store/log",
         "store/trees", "store/files", "store/server", "store/format"]

# Objects in memory, the facade first.
STABILIZE = ["stabilize/session", "stabilize/commit", "stabilize/state", "stabilize/frames"]

# The rooms of the commands on stores: each command's room, then what they share.
DBTOOL = ["dbtool/repair", "dbtool/change", "dbtool/collect", "dbtool/move", "dbtool/browse", "dbtool/serve",
          "dbtool/look", "dbtool/query", "dbtool/values", "dbtool/stored"]

# The layering rule. Folder: the folders that it may include besides itself. An arrow means "may
# include" and none runs back; tools/check_layers.py holds every #include to this table.
LAYERS: Dict[str, List[str]] = {
    "base": [],
    # commands/: what programs that read command lines share; no part of a compiled program.
    "commands": ["base"],
    "abi": ["base"],
    "gc": ["abi", "base"],
    # store/: pages, durable. Nothing there knows of a heap.
    "store/format": ["abi", "base"],
    "store/server": ["store/format", "abi", "base"],
    "store/files": ["store/server", "store/format", "abi", "base"],
    "store/trees": ["store/files", "store/server", "store/format", "abi", "base"],
    "store/log": ["store/trees", "store/files", "store/server", "store/format", "abi", "base"],
    "store/directory": ["store/log", "store/trees", "store/files", "store/server", "store/format",
                        "abi", "base"],
    "store/bdb": ["store/directory", "store/log", "store/trees", "store/files", "store/server",
                  "store/format", "abi", "base"],
    "store/network": ["store/files", "store/server", "store/format", "abi", "base"],
    "store/remote": ["store/network", "store/files", "store/server", "store/format", "abi", "base"],
    "store": ["store/remote", "store/network", "store/bdb", "store/directory", "store/log",
              "store/trees", "store/files", "store/server", "store/format", "abi", "base"],
    "store/serve": ["store", "store/remote", "store/network", "store/directory", "store/files", "store/server",
                    "store/format", "abi", "base"],
    "store/cluster": ["store/server", "store/format", "abi", "base"],
    "store/postgres": ["store/cluster", "store/server", "store/format", "abi", "base"],
    # Only tests are linked with it.
    "store/faults": ["store/cluster", "store/files", "store/server", "store/format", "abi", "base"],
    # lab/: systems of the papers, for experiments; no part of a program.
    "lab": ["store/serve", *STORE, "abi", "base"],
    # stabilize/: objects, in memory.
    "stabilize/frames": [*STORE, "gc", "abi", "base"],
    "stabilize/state": ["stabilize/frames", *STORE, "gc", "abi", "base"],
    "stabilize/commit": ["stabilize/state", "stabilize/frames", *STORE, "gc", "abi", "base"],
    "stabilize/session": ["stabilize/commit", "stabilize/state", "stabilize/frames", *STORE, "gc",
                          "abi", "base"],
    "runtime": [*STABILIZE, *STORE, "gc", "abi", "base"],
    "runtime/external": ["runtime", *STABILIZE, *STORE, "gc", "abi", "base"],
    "runtime/boehm": ["runtime", "gc", "abi", "base"],
    # dbtool/: the commands on stores. What is read of a store, what it means, what is asked of it; then what moves,
    # collects, changes and repairs stores.
    "dbtool/stored": [*STORE, "abi", "base"],
    "dbtool/values": ["dbtool/stored", *STORE, "abi", "base"],
    "dbtool/query": ["dbtool/values", "dbtool/stored", *STORE, "abi", "base"],
    "dbtool/look": ["dbtool/query", "dbtool/values", "dbtool/stored", *STORE, "abi", "base"],
    "dbtool/serve": ["dbtool/values", "dbtool/stored", "store/serve", *STORE, "commands", "abi", "base"],
    "dbtool/browse": ["dbtool/serve", "dbtool/look", "dbtool/query", "dbtool/values", "dbtool/stored", *STORE, "abi",
                      "base"],
    "dbtool/move": ["dbtool/look", "dbtool/query", "dbtool/values", "dbtool/stored", *STORE, "abi", "base"],
    "dbtool/collect": ["dbtool/move", "dbtool/values", "dbtool/stored", *STORE, "abi", "base"],
    "dbtool/change": ["dbtool/collect", "dbtool/move", "dbtool/values", "dbtool/stored", *STORE, "abi", "base"],
    "dbtool/repair": ["dbtool/stored", *STORE, "abi", "base"],
    "dbtool": [*DBTOOL, "store/serve", *STORE, "commands", "abi", "base"],
    # A node of a cluster: a program of its own, since it alone is linked with libpq.
    "node": ["store/postgres", "store/cluster", "store/serve", *STORE, "commands", "abi", "base"],
    "compiler/source": ["base"],
    "compiler/diagnostics": ["compiler/source", "base"],
    "compiler/quake": ["compiler/diagnostics", "compiler/source", "base"],
    # Forms and words of other languages: what they are, for the lexer and all above it, and how the parser reads them.
    "compiler/foreign/tables": ["compiler/diagnostics", "compiler/source", "base"],
    "compiler/lex": ["compiler/foreign/tables", "compiler/diagnostics", "compiler/source", "base"],
    "compiler/ast": ["compiler/lex", "compiler/source", "base"],
    "compiler/parse": ["compiler/ast", "compiler/lex", "compiler/foreign/tables", "compiler/diagnostics",
                       "compiler/source", "base"],
    "compiler/foreign": ["compiler/parse", "compiler/ast", "compiler/lex", "compiler/foreign/tables",
                         "compiler/diagnostics", "compiler/source", "base"],
    "compiler/types": ["compiler/ast", "compiler/lex", "compiler/diagnostics", "compiler/source",
                       "abi", "base"],
    "compiler/check": ["compiler/types", "compiler/parse", "compiler/ast", "compiler/lex",
                       "compiler/foreign/tables", "compiler/diagnostics", "compiler/source", "abi", "base"],
    "compiler/emit": ["base"],
    "compiler/lower": ["compiler/emit", "compiler/check", "compiler/types", "compiler/parse",
                       "compiler/ast", "compiler/lex", "compiler/diagnostics", "compiler/source",
                       "abi", "base"],
    "compiler/package": ["compiler/quake", "compiler/check", "compiler/types", "compiler/parse",
                         "compiler/ast", "compiler/lex", "compiler/diagnostics", "compiler/source",
                         "abi", "base"],
    "compiler/doc": ["compiler/parse", "compiler/ast", "compiler/lex", "compiler/diagnostics",
                     "compiler/source", "base"],
    "compiler/format": ["compiler/parse", "compiler/ast", "compiler/lex", "compiler/diagnostics",
                        "compiler/source", "base"],
    "compiler/heap": ["base"],
    "compiler/testing": ["abi", "base"],
    "compiler/debug": ["base"],
    "compiler/dependencies": ["compiler/source", "abi", "base"],
    "compiler/driver": ["compiler/package", "compiler/dependencies", "compiler/doc", "compiler/format",
                        "compiler/heap", "compiler/testing", "compiler/debug", "compiler/emit",
                        "compiler/lower", "compiler/check", "compiler/types", "compiler/parse",
                        "compiler/ast", "compiler/lex", "compiler/quake",
                        "compiler/diagnostics", "compiler/source", "commands", "abi", "base"],
}

# The folders that may include LLVM's headers.
LLVM_LAYERS = {"compiler/emit", "compiler/lower", "compiler/dependencies", "compiler/driver"}

# The folders whose libraries throw: those that read command lines.
EXCEPTION_LAYERS = {"compiler/driver", "dbtool", *DBTOOL, "node"}

# What a compiled Modula-3 program is linked with: the layers of the runtime, in one archive.
RUNTIME_LAYERS = ["runtime", "runtime/external", *STABILIZE, *STORE, "gc", "abi", "base"]
# Linked before it by `tenure build --gc=boehm`.
BOEHM_LAYER = "runtime/boehm"
# Linked before it by `tenure build --faults`, with a flag that asks the linker for its main symbol.
FAULTS_LAYER = "store/faults"
LINK_FAULTS = "-Wl,--undefined=tn_linked_faults"
COMPILER_LAYERS = [layer for layer in LAYERS if layer.startswith("compiler/")]

# Most of a compilation are headers and the templates that every file uses, so neighbours in a folder are compiled
# together, so many at a time; docs/decisions/0030-files-are-compiled-in-groups.md. --each-file compiles each alone.
GROUP_FILES = 3
# Layers whose files are compiled alone: a program takes from the archive what it calls, so one without a database
# does without the store (all have the collector), and may have a C function of the same name as another one there.
LAYERS_APART = {*RUNTIME_LAYERS, BOEHM_LAYER, FAULTS_LAYER} - {"gc"}
# Files that are compiled alone, since a name in their unnamed namespace is also one in another file of the folder
# (tools/check_groups.py), or one of a header that another file uses.
FILES_APART = {
    "compiler/check/advice_operators.cc", "compiler/check/advice_values.cc", "compiler/check/differences.cc",
    "compiler/check/value_flow.cc", "compiler/driver/user_cache.cc", "compiler/emit/checked_loops.cc",
    "compiler/emit/jammed_loops.cc", "compiler/emit/loop_barriers.cc", "compiler/emit/loop_blocks.cc",
    "compiler/emit/narrow_loops.cc", "compiler/emit/ranged_loops.cc", "compiler/emit/unroll_recursion.cc",
    "compiler/lower/program_layout.cc", "compiler/lower/runtime_calls.cc", "compiler/quake/parse.cc",
    "compiler/types/fingerprint.cc", "dbtool/browse/api_pages.cc", "dbtool/browse/api_types.cc",
    "dbtool/browse/scanner.cc", "dbtool/look/schema.cc", "dbtool/query/prepare.cc",
    "dbtool/values/object_json_write.cc", "dbtool/values/value_conversion.cc", "dbtool/values/value_type.cc",
    "gc/page_allocator.cc", "gc/shared_drain.cc", "gc/verifier.cc", "lab/support/device.cc",
    "store/serve/service_watch.cc",
}
# Files that run once in a command and instantiate all of the command line's library: speed does not matter in them.
NOT_OPTIMIZED = {"compiler/driver/options.cc", "compiler/driver/package_options.cc", "dbtool/main.cc",
                 "dbtool/serve/serve.cc", "node/node_options.cc"}

# What most files of a kind include, precompiled once for each set of flags and put in front of each file. It has no
# header of ours, and every file still includes what it uses: a build with --each-file has no precompiled headers.
COMMON_HEADER, TEST_HEADER = "base/common_headers.h", "tests/support/common_headers.h"
LAYER_HEADERS = {"compiler/emit": "compiler/emit/common_headers.h", "compiler/lower": "compiler/emit/common_headers.h",
                 **{layer: "dbtool/common_headers.h" for layer in ("dbtool", *DBTOOL)}}

SOURCE_SUFFIXES = (".cc", ".c", ".S")
COMPILER_MAIN = "compiler/driver/main.cc"
DBTOOL_MAIN = "dbtool/main.cc"
NODE_MAIN = "node/main.cc"
LAB_MAIN = "lab/main.cc"
MAINS = (COMPILER_MAIN, DBTOOL_MAIN, NODE_MAIN, LAB_MAIN)
# The client library of PostgreSQL, for store/postgres.
POSTGRES_LIBRARIES = "-lpq"
# The line editor of `tenure db shell`, the HTTP server of `tenure db browse`.
DBTOOL_LIBRARIES = "-ledit -lmicrohttpd"


# What the benchmarks of other stores and heaps need, by their names in the folders `peers` of these benchmarks; the
# rest is linked with our run time.
PEER_LIBRARIES = {"bdb": "-ldb", "libgc": "-lgc", "lmdb": "-llmdb", "pmdk": "-lpmemobj",
                  "postgresql": "-lpq -lpthread", "rocksdb": "-lrocksdb -lpthread",
                  "sqlite": "-lsqlite3"}
BENCHMARKS_WITH_PEERS = ("oo7", "oo1", "transfers")


class Tree:
    """The source files by folder, and the folders that were looked at."""

    def __init__(self) -> None:
        self.folders: List[str] = []

    def files(self, folder: str, suffixes=SOURCE_SUFFIXES, recursive: bool = False) -> List[str]:
        absolute = os.path.join(ROOT, folder)
        if not os.path.isdir(absolute):
            return []
        found = []
        self._note(folder)
        for entry in sorted(os.scandir(absolute), key=lambda e: e.name):
            if entry.name.startswith("."):
                continue
            path = f"{folder}/{entry.name}"
            if entry.is_dir():
                if recursive:
                    found += self.files(path, suffixes, recursive)
            elif entry.name.endswith(suffixes):
                found.append(path)
        return found

    def _note(self, folder: str) -> None:
        while folder and folder not in self.folders:
            self.folders.append(folder)
            folder = os.path.dirname(folder)


def object_of(source: str) -> str:
    return f"$builddir/obj/{source}.o"


def layer_of(path: str) -> Optional[str]:
    """The layer that a file is in: its folder, or the nearest one above that is a layer."""
    folder = os.path.dirname(path)
    while folder and folder not in LAYERS:
        folder = os.path.dirname(folder)
    return folder or None


def library_of(layer: str) -> str:
    return f"$builddir/lib/lib{layer.replace('/', '_')}.a"


def write_rules(n: NinjaWriter) -> None:
    n.comment("Flags that are the same everywhere. Lines and names are enough for stack traces; full\n"
              "debugging information is a third of a compilation. All code is linked -no-pie: a type descriptor's\n"
              "address has 32 bits in the object header, so programs live below 4 GB.")
    n.variable("flags", "-I. -g1 -Wall -Wextra -fno-pie -fasynchronous-unwind-tables "
               "-ffile-prefix-map=./=")
    n.variable("cxxflags", "-std=c++20 -fno-rtti -Wnon-virtual-dtor $flags")
    n.newline()
    n.comment("An object is as old as the start of its compilation: a header that is saved while a file\n"
              "is compiled makes it out of date.")
    n.rule("cxx", "touch $out.begin && $cache_settings $cxx $precompiled $cxxflags $optimize $layer_flags "
           "$local_cxxflags -MMD -MF $out.d -c $in -o $out && touch -r $out.begin $out && rm $out.begin", "C++ $in",
           depfile="$out.d", deps="gcc")
    n.rule("group", "printf '#include \"%s\"\\n' $files > $out", "group $out")
    n.comment("System headers are in the dependencies: what was precompiled from older ones would be used in silence.\n"
              "ccache finds a result again only if told that the time of a precompiled header does not matter.")
    n.variable("cache_settings", "")
    n.variable("precompiled", "")
    n.variable("precompiled_cache_settings", "CCACHE_SLOPPINESS=pch_defines,time_macros")
    n.rule("precompile", "printf '#include \"%s\"\\n' $in > $header && $precompiled_cache_settings $cxx $cxxflags "
           "$optimize $layer_flags $local_cxxflags $precompile_flags -MD -MF $out.d -x c++-header $header -o $out",
           "precompile $in ($optimize)", depfile="$out.d", deps="gcc")
    n.rule("cc", "touch $out.begin && $cc $flags $optimize $local_cxxflags -MMD -MF $out.d -c $in "
           "-o $out && touch -r $out.begin $out && rm $out.begin", "C $in", depfile="$out.d",
           deps="gcc")
    n.rule("archive", "rm -f $out && ar crs $out $in", "archive $out")
    n.comment("Debugging information of the run time would be most of what every program is linked "
              "from.")
    n.rule("runtime_archive", "rm -f $out && ar crs $out $in && $strip_runtime $out",
           "archive $out")
    n.rule("link", "$cxx -no-pie $local_ldflags -o $out $in -Wl,--as-needed $libraries",
           "link $out")
    n.rule("symlink", "mkdir -p $$(dirname $out) && ln -sfn \"$$(realpath $target)\" $out",
           "link $out")
    n.rule("explanations", "$python tools/make_explanations.py $out", "explanations $out")
    n.rule("console", "$action", "$what", pool="console")
    n.rule("configure", "$python configure.py --build-dir $builddir $configure_args",
           "configure", generator="1")
    n.newline()


class BuildFile:
    def __init__(self, n: NinjaWriter, tree: Tree, each_file: bool):
        self.n = n
        self.tree = tree
        self.each_file = each_file
        self.objects: Dict[str, List[str]] = {}  # by layer
        self.precompiled: Dict[str, str] = {}  # by header and flags
        self.tools_of_tests: List[str] = []  # what `ninja test` builds before it runs anything
        self.sources = {layer: self._layer_sources(layer) for layer in LAYERS}

    def _layer_sources(self, layer: str) -> List[str]:
        """The sources in the layer's folder and those below, as far as no other layer has them."""
        sources = [s for s in self.tree.files(layer, recursive=True)
                   if s not in MAINS]
        return [s for s in sources if layer_of(s) == layer]

    def precompile(self, header: str, optimize: str, layer_flags: str) -> str:
        """The header to put in front of files with these flags."""
        key = f"{header} {optimize} {layer_flags}"
        if key not in self.precompiled:
            number = sum(known.startswith(header + " ") for known in self.precompiled)
            copy = f"$builddir/precompiled/{header[:-len('.h')]}_{number}.h"
            self.precompiled[key] = copy
            variables = {"header": copy, "optimize": optimize}
            if layer_flags:
                variables["layer_flags"] = layer_flags
            self.n.build(f"{copy}.gch", "precompile", header, variables=variables)
        return self.precompiled[key]

    def build_object(self, source: str, out: str, header: str, optimize: str, layer_flags: str) -> None:
        variables = {"optimize": optimize}
        if layer_flags:
            variables["layer_flags"] = layer_flags
        implicit = []
        if header and not self.each_file and os.path.exists(os.path.join(ROOT, header)):
            copy = self.precompile(header, optimize, layer_flags)
            implicit = [f"{copy}.gch"]
            variables["precompiled"] = f"$use_precompiled -include {copy}"
            variables["cache_settings"] = "$precompiled_cache_settings"
        self.n.build(out, "cxx", source, implicit=implicit, variables=variables)

    def compile(self, source: str, optimize: str, layer_flags: str = "", header: str = "") -> str:
        if source.endswith(".cc"):
            self.build_object(source, object_of(source), header, optimize, layer_flags)
            return object_of(source)
        variables = {"optimize": optimize}
        if layer_flags:
            variables["layer_flags"] = layer_flags
        # The compiler does not list the files that an assembler file includes as they are.
        included = []
        if source.endswith(".S"):
            with open(os.path.join(ROOT, source), encoding="utf-8") as file:
                included = re.findall(r'\.incbin\s+"([^"]+)"', file.read())
            if included:
                # ccache does not see what these files are.
                variables["cc"] = "CCACHE_DISABLE=1 $cc"
        self.n.build(object_of(source), "cc", source, implicit=included, variables=variables)
        return object_of(source)

    def compile_all(self, sources: List[str], optimize: str, layer_flags: str, header: str) -> List[str]:
        """The objects of these files, neighbours in a folder together."""
        objects, groups = [], {}
        for source in sources:
            folder = os.path.dirname(source)
            if source in NOT_OPTIMIZED:
                groups.setdefault((folder, "-O0"), []).append(source)
            elif source.endswith(".cc") and not (self.each_file or source in FILES_APART or
                                                 layer_of(source) in LAYERS_APART):
                groups.setdefault((folder, optimize), []).append(source)
            else:
                objects.append(self.compile(source, optimize, layer_flags, header))
        for (folder, how), files in groups.items():
            # As few groups as possible, and the files spread evenly over them.
            count = len(files) if self.each_file else -(-len(files) // GROUP_FILES)
            for number in range(count):
                part = files[number * len(files) // count:(number + 1) * len(files) // count]
                objects.append(self.compile_group(folder, part, how, layer_flags,
                                                  header if how == optimize else ""))
        return objects

    def compile_group(self, folder: str, files: List[str], optimize: str, layer_flags: str,
                      header: str) -> str:
        if len(files) == 1:
            return self.compile(files[0], optimize, layer_flags, header)
        # Named after the files, so that an object that an earlier grouping made is not taken for this one.
        names = [os.path.basename(file)[:-len(".cc")] for file in files]
        group = f"$builddir/groups/{folder}/{'+'.join(names)}.cc"
        self.n.build(group, "group", order_only=files, variables={"files": " ".join(files)})
        out = object_of(f"{folder}/{'+'.join(names)}.cc")
        self.build_object(group, out, header, optimize, layer_flags)
        return out

    def program(self, path: str, objects: List[str], libraries: List[str], system: str) -> None:
        # The group lets libraries refer to each other in any order.
        self.n.build(path, "link", objects, implicit=libraries, variables={
            "libraries": f"-Wl,--start-group {' '.join(libraries)} -Wl,--end-group {system}"})

    def libraries(self, layers: List[str]) -> List[str]:
        return [library_of(layer) for layer in layers if self.sources[layer]]

    def layers(self) -> None:
        for layer, sources in self.sources.items():
            if not sources:
                continue
            self.n.comment(layer)
            flags = "-fno-exceptions" + (" $llvm_cxxflags" if layer in LLVM_LAYERS else "")
            if layer in EXCEPTION_LAYERS:
                flags += " -fexceptions"
            optimize = "$compiler_optimize" if layer in COMPILER_LAYERS else "$runtime_optimize"
            if layer == "lab":
                optimize = "-O2"  # measured, so always optimized
            self.objects[layer] = self.compile_all(
                sources, optimize, flags, LAYER_HEADERS.get(layer, COMMON_HEADER))
            self.n.build(library_of(layer), "archive", self.objects[layer])
            self.n.newline()

    def products(self) -> None:
        self.n.comment("What a user runs: the compiler, the runtime archive, the library's sources")
        parts = []
        runtime = [o for layer in RUNTIME_LAYERS for o in self.objects.get(layer, [])]
        if runtime:
            self.n.build("$builddir/lib/libtenure_runtime.a", "runtime_archive", runtime)
            self.n.build("runtime_archive", "phony", "$builddir/lib/libtenure_runtime.a")
            parts.append("$builddir/lib/libtenure_runtime.a")
        if self.sources[BOEHM_LAYER]:
            parts.append(library_of(BOEHM_LAYER))
        if os.path.isdir(os.path.join(ROOT, "stdlib")):
            self.n.build("$builddir/lib/stdlib", "symlink", variables={"target": "stdlib"})
            parts.append("$builddir/lib/stdlib")
        if os.path.exists(os.path.join(ROOT, "docs/language.md")):
            self.n.build("$builddir/lib/explanations.txt", "explanations", [],
                         implicit=["tools/make_explanations.py", "docs/language.md",
                                   "compiler/diagnostics/messages.def",
                                   "compiler/diagnostics/examples.txt",
                                   *self.tree.files("tests/golden", (".m3",), recursive=True)])
            parts.append("$builddir/lib/explanations.txt")
        if os.path.exists(os.path.join(ROOT, COMPILER_MAIN)):
            main = self.compile(COMPILER_MAIN, "$compiler_optimize",
                                "-fno-exceptions $llvm_cxxflags")
            self.program("$builddir/bin/tenure", [main],
                         self.libraries(COMPILER_LAYERS + ["abi", "base"]),
                         "$compiler_allocator $llvm_libraries")
            parts.append("$builddir/bin/tenure")
            self.n.comment("What it takes to compile and run a program: no tools of stores, no server")
            self.n.build("programs", "phony", [part for part in parts if part != library_of(BOEHM_LAYER)])
        if os.path.exists(os.path.join(ROOT, DBTOOL_MAIN)):
            main = self.compile(DBTOOL_MAIN, "-O0")
            self.program("$builddir/bin/tenure-db", [main],
                         self.libraries(["dbtool"] + LAYERS["dbtool"]),
                         f"{DBTOOL_LIBRARIES} $runtime_libraries")
            parts.append("$builddir/bin/tenure-db")
            parts += self.faults(main)
        if os.path.exists(os.path.join(ROOT, NODE_MAIN)):
            main = self.compile(NODE_MAIN, "$runtime_optimize")
            self.program("$builddir/bin/tenure-node", [main],
                         self.libraries(["node"] + LAYERS["node"]),
                         f"{POSTGRES_LIBRARIES} $runtime_libraries")
            parts.append("$builddir/bin/tenure-node")
        if parts:
            self.n.build("tenure", "phony", parts)
            self.n.default(["tenure"])
            self.tools_of_tests.append("tenure")
        self.n.newline()

    def faults(self, database_tool: str) -> List[str]:
        """What `tenure build --faults` links, and a `tenure-db` with it for tests of crashes."""
        self.program("$builddir/bin/tenure-db-faults", [database_tool],
                     self.libraries([FAULTS_LAYER, "dbtool"] + LAYERS["dbtool"]),
                     f"{LINK_FAULTS} {DBTOOL_LIBRARIES} $runtime_libraries")
        return [library_of(FAULTS_LAYER), "$builddir/bin/tenure-db-faults"]

    def tests(self) -> None:
        self.n.comment("Tests: one executable for each layer; tests/support is linked where used")
        support = self.tree.files("tests/support", (".cc",))
        # Registers itself, so it is no member of the library.
        limits = [source for source in support if source == "tests/support/time_limit.cc"]
        support = [source for source in support if source not in limits]
        limits = [self.compile(source, "$test_optimize", "", TEST_HEADER) for source in limits]
        support_library = []
        if support:
            support_library = ["$builddir/lib/libtest_support.a"]
            self.n.build(support_library, "archive",
                         [self.compile(s, "$test_optimize", "", TEST_HEADER) for s in support])
        executables = []
        for layer in ["base", "abi", "gc", "store", "stabilize", "runtime", "dbtool", "lab",
                      "compiler"]:
            flags = "$llvm_cxxflags" if layer == "compiler" else ""
            sources = self.tree.files(f"tests/{layer}", ("_test.cc",), recursive=True)
            if not sources:
                continue
            # What tests/support needs: in a sanitizer build any member of it may be linked.
            uses_support = layer in ("gc", "store", "stabilize", "runtime", "dbtool")
            tested = {l for l in LAYERS if l == layer or l.startswith(f"{layer}/")} - {BOEHM_LAYER}
            if uses_support:
                tested |= {"stabilize/session", "store/serve", FAULTS_LAYER}
            needed = tested.union(*(LAYERS[l] for l in tested))
            layers = [name for name in LAYERS if name in needed]
            system = "$llvm_libraries" if layer == "compiler" else (
                "$runtime_libraries" if uses_support or layer == "lab" else "")
            if layer == "store":
                system = f"{POSTGRES_LIBRARIES} {system}"
            if layer == "dbtool":
                system = f"{DBTOOL_LIBRARIES} {system}"
            self.program(f"$builddir/tests/{layer}_tests",
                         [self.compile(s, "$test_optimize", flags, TEST_HEADER) for s in sources] + limits,
                         (support_library if uses_support else []) + self.libraries(layers),
                         f"-lgtest_main -lgmock -lgtest {system} -lpthread".replace("  ", " "))
            self.n.build(f"{layer}_tests", "phony", f"$builddir/tests/{layer}_tests")
            executables.append(f"{layer}_tests")
        for source in self.tree.files("tests/fuzz", ("_fuzz.cc",)):
            name = os.path.basename(source)[:-len(".cc")]
            self.program(f"$builddir/fuzz/{name}",
                         [self.compile(source, "$test_optimize", "$llvm_cxxflags")],
                         support_library + self.libraries([l for l in LAYERS if l != BOEHM_LAYER]),
                         f"{POSTGRES_LIBRARIES} {DBTOOL_LIBRARIES} $llvm_libraries $runtime_libraries")
            executables.append(f"$builddir/fuzz/{name}")
        if executables:
            self.n.build("all_tests", "phony", executables)
            self.tools_of_tests.append("all_tests")
        self.n.newline()

    def benchmarks(self) -> None:
        self.n.comment("Benchmarks: one executable for each file, always optimized; a library for each file of\n"
                       "bench/support/preload. bench/kernels/measure.py compiles its own files, by several compilers.")
        programs = []
        for source in self.tree.files("bench", (".cc",), recursive=True):
            if os.path.dirname(source) == "bench/kernels":
                continue
            base = os.path.basename(source)[:-len(".cc")]
            libraries = None
            if os.path.dirname(source) == "bench/support/preload":
                name = f"$builddir/bench/{base}.so"
                self.program(name, [self.compile(source, "-O2", "-fPIC")], [], "-shared -ldl")
                programs.append(name)
                continue
            # A peer's program is named after its benchmark too: bench/oo7/peers/lmdb.cc is oo7_lmdb.
            folder, room = os.path.split(os.path.dirname(source))
            if room == "peers":
                benchmark = os.path.basename(folder)
                libraries = PEER_LIBRARIES.get(base) if benchmark in BENCHMARKS_WITH_PEERS else None
                base = f"{benchmark}_{base}"
            name = "$builddir/bench/" + base
            self.program(name, [self.compile(source, "-O2")],
                         [] if libraries else self.libraries(RUNTIME_LAYERS),
                         libraries or "$runtime_libraries")
            programs.append(name)
        if programs:
            self.n.build("benchmarks", "phony", programs)
        self.n.newline()

    def laboratory(self) -> None:
        self.n.comment("The laboratory, for `build.py lab`")
        if os.path.exists(os.path.join(ROOT, LAB_MAIN)):
            self.program("$builddir/lab/lab", [self.compile(LAB_MAIN, "-O2")],
                         self.libraries(["lab"] + LAYERS["lab"]), "$runtime_libraries")
            self.n.build("laboratory", "phony", "$builddir/lab/lab")
            self.tools_of_tests.append("laboratory")
        self.n.newline()

    def actions(self) -> None:
        self.n.comment("ninja test: all that is fast; ninja check: the long rest as well")
        self.n.build("test", "console", implicit=self.tools_of_tests, variables={
            "action": "$python tools/run_tests.py --build-dir $builddir", "what": "test"})
        self.n.build("check", "console", implicit=self.tools_of_tests, variables={
            "action": "$python build.py check --build-dir $builddir", "what": "check"})
        self.n.newline()

    def configure(self, build_file: str) -> None:
        self.n.comment("This file makes itself again when its makers or a source folder change.\n"
                       "The phony statements let a folder disappear.")
        makers = ["configure.py", "tools/ninja_writer.py"]
        folders = sorted(self.tree.folders)
        self.n.build([build_file, "$builddir/local.ninja"], "configure",
                     implicit=makers + folders)
        self.n.build(makers + folders, "phony")


def build_file_text(build_dir: str, build_file: str, each_file: bool = False) -> str:
    text = io.StringIO()
    n = NinjaWriter(text)
    n.comment("Made by configure.py; do not edit.")
    n.variable("ninja_required_version", "1.10")
    n.variable("builddir", build_dir)
    n.comment("Compilers and paths of this machine. Missing? python3 build.py setup")
    n.include("$builddir/local.ninja")
    n.newline()
    write_rules(n)
    file = BuildFile(n, Tree(), each_file)
    file.layers()
    file.products()
    file.tests()
    file.benchmarks()
    file.laboratory()
    file.actions()
    file.configure(build_file)
    return text.getvalue()


def find_llvm_config() -> str:
    return next((program for version in LLVM_VERSIONS if shutil.which(program := f"llvm-config-{version}")),
                "llvm-config")


def run_llvm_config(program: str, *arguments: str) -> str:
    return subprocess.run([program, *arguments], check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def compiler_allocator(options: argparse.Namespace) -> str:
    """jemalloc, if it is installed: LLVM makes many small objects. Sanitizers bring their own allocator."""
    if options.sanitize or options.debug or shutil.which(options.cxx) is None:
        return ""
    found = subprocess.run([options.cxx, "-print-file-name=libjemalloc.a"], text=True, check=False,
                           stdout=subprocess.PIPE).stdout.strip()
    return found if os.path.isabs(found) else ""


def local_file_text(options: argparse.Namespace) -> str:
    llvm_config = shutil.which(options.llvm_config or find_llvm_config())
    if llvm_config is None:
        sys.exit(f"configure.py: {options.llvm_config or 'llvm-config'} not found; run: python3 build.py setup")
    major = run_llvm_config(llvm_config, "--version").split(".")[0]
    if major not in LLVM_VERSIONS:
        sys.exit(f"configure.py: {llvm_config} is of LLVM {major}; the sources are for {', '.join(sorted(LLVM_VERSIONS))}")
    include = run_llvm_config(llvm_config, "--includedir")
    library = run_llvm_config(llvm_config, "--libdir")
    llvm_programs = run_llvm_config(llvm_config, "--bindir")
    cache = "ccache " if shutil.which("ccache") and not options.no_ccache else ""
    cxxflags, ldflags = [], [f"-B{llvm_programs}", "-fuse-ld=lld"]
    if options.sanitize:
        flags = (f"-fsanitize={options.sanitize} -fno-sanitize-recover=all "
                 "-fno-omit-frame-pointer -fno-optimize-sibling-calls")
        cxxflags.append(flags)
        ldflags.append(flags)
    if options.sanitize == "thread":
        # The only low addresses that are not its own.
        cxxflags.append("-DTENURE_CARD_TABLE_BASE=0x8000000000")
    if options.debug:
        cxxflags.append("-DTENURE_DEBUG")
    if options.warnings_are_errors:
        cxxflags.append("-Werror")
    if "clang" in options.cxx:
        # backtrace.h is among GCC's own headers; Clang's own come first.
        headers = subprocess.run(["gcc", "-print-file-name=include"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout.strip()
        cxxflags.append(f"-idirafter {headers}")
    optimize = "-O1" if options.debug else "-O2"

    text = io.StringIO()
    n = NinjaWriter(text)
    n.comment("Made by configure.py for this machine; not checked in.")
    n.variable("python", "python3")
    n.variable("configure_args", " ".join(options.kept))
    n.variable("cxx", cache + options.cxx)
    n.variable("cc", cache + options.cc)
    n.comment("ccache knows so what was precompiled. GCC 12 takes std::string(a) + \"b\" for an overflow inside the\n"
              "standard library, and forgets in what was precompiled that it does not warn there.")
    n.variable("precompile_flags", "-Xclang -fno-pch-timestamp" if "clang" in options.cxx else "")
    n.variable("use_precompiled", "" if "clang" in options.cxx else
               "-fpch-preprocess -Winvalid-pch -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow "
               "-Wno-stringop-overread")
    n.variable("runtime_optimize", optimize)
    n.variable("strip_runtime", "true" if options.debug or options.sanitize else "strip -g")
    n.variable("compiler_optimize", optimize)
    n.variable("test_optimize", "-O1")
    n.variable("local_cxxflags", " ".join(cxxflags))
    n.variable("local_ldflags", " ".join(ldflags))
    n.comment("A system folder: LLVM's headers are not held to our warnings.")
    n.variable("llvm_cxxflags", f"-isystem {include} -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS "
               "-D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS")
    n.variable("llvm_libraries", f"-L{library} {run_llvm_config(llvm_config, '--libs')}")
    n.variable("compiler_allocator", compiler_allocator(options))
    n.variable("runtime_libraries", "-ldb -lbacktrace -lpthread -ldl -lm")
    return text.getvalue()


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Writes build.ninja (or DIR/build.ninja) and DIR/local.ninja. Run ninja from "
        "the repository root: `ninja` or `ninja -f DIR/build.ninja`.")
    parser.add_argument("--build-dir", default="build", metavar="DIR",
                        help="where everything that is built goes (default: build)")
    kept = [
        parser.add_argument("--cxx", default="g++", help="C++ compiler (default: g++)"),
        parser.add_argument("--cc", default="gcc", help="C compiler (default: gcc)"),
        parser.add_argument("--llvm-config", default="", metavar="PROGRAM",
                            help="default: llvm-config-N of the first N that is there of "
                            + ", ".join(LLVM_VERSIONS)),
        parser.add_argument("--sanitize", default="", metavar="LIST",
                            help="-fsanitize=LIST, for example address,undefined"),
        parser.add_argument("--debug", action="store_true",
                            help="TN_DCHECK is on; less optimization"),
        parser.add_argument("--warnings-are-errors", action="store_true", default=os.environ.get("CI") == "true",
                            help="a warning ends the build; so also if CI=true is in the environment"),
        parser.add_argument("--each-file", action="store_true",
                            help="compile each file by itself and without precompiled headers, as with --sanitize; "
                            "only with --build-dir"),
        parser.add_argument("--no-ccache", action="store_true",
                            help="call the compiler directly although ccache is installed"),
    ]
    options = parser.parse_args()
    if options.each_file and os.path.normpath(options.build_dir) == "build":
        parser.error("--each-file needs another --build-dir: build.ninja is checked in and the same for all")
    # ninja repeats these when it runs this script by itself.
    options.kept = []
    for action in kept:
        value = getattr(options, action.dest)
        if value is True:
            options.kept.append(action.option_strings[0])
        elif value != action.default:
            options.kept.append(f"{action.option_strings[0]}={value}")
    return options


def write_file(path: str, text: str) -> None:
    """Replaces the file at once, so that an interrupted run leaves no half of it. Its time always
    becomes new: ninja would run this script again otherwise."""
    temporary = f"{path}.tmp{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)


def main() -> None:
    options = parse_options()
    os.chdir(ROOT)
    build_dir = os.path.normpath(options.build_dir)
    build_file = "build.ninja" if build_dir == "build" else f"{build_dir}/build.ninja"
    os.makedirs(build_dir, exist_ok=True)
    # The build file of the default folder is checked in, and the same for all.
    each_file = build_dir != "build" and bool(options.each_file or options.sanitize)
    write_file(f"{build_dir}/local.ninja", local_file_text(options))
    write_file(build_file, build_file_text(build_dir, build_file, each_file))


if __name__ == "__main__":
    main()
