import os
import tempfile
import unittest

import check_layers


class CheckIncludeTest(unittest.TestCase):
    def test_a_lower_layer_and_the_own_one_are_allowed(self):
        self.assertIsNone(check_layers.check_include("gc/heap.cc", '"', "abi/object_header.h"))
        self.assertIsNone(check_layers.check_include("gc/heap.cc", '"', "gc/heap.h"))

    def test_back_arrow_is_reported(self):
        self.assertEqual(check_layers.check_include("gc/heap.cc", '"', "stabilize/state/database.h"),
                         "gc may not include stabilize/state")
        self.assertEqual(check_layers.check_include("compiler/parse/parser.cc", '"',
                                                    "compiler/check/check.h"),
                         "compiler/parse may not include compiler/check")

    def test_pages_know_nothing_of_the_heap_and_the_tool_nothing_of_objects_in_memory(self):
        self.assertEqual(check_layers.check_include("store/format/page_codec.h", '"', "gc/heap.h"),
                         "store/format may not include gc")
        self.assertEqual(check_layers.check_include("dbtool/collect/collect.cc", '"', "gc/heap.h"),
                         "dbtool/collect may not include gc")
        self.assertEqual(check_layers.check_include("dbtool/collect/collect.cc", '"',
                                                    "stabilize/session/session.h"),
                         "dbtool/collect may not include stabilize/session")
        self.assertEqual(check_layers.check_include("store/log/redo_log.cc", '"',
                                                    "store/bdb/bdb_handles.h"),
                         "store/log may not include store/bdb")

    def test_a_commit_knows_the_state_and_not_the_session(self):
        self.assertIsNone(check_layers.check_include("stabilize/commit/stabilizer.h", '"',
                                                     "stabilize/state/session_state.h"))
        self.assertEqual(check_layers.check_include("stabilize/commit/stabilizer.cc", '"',
                                                    "stabilize/session/session.h"),
                         "stabilize/commit may not include stabilize/session")
        self.assertEqual(check_layers.check_include("stabilize/state/database.cc", '"',
                                                    "stabilize/commit/stabilizer.h"),
                         "stabilize/state may not include stabilize/commit")

    def test_compiler_and_runtime_do_not_meet(self):
        self.assertEqual(check_layers.check_include("compiler/lower/lower.cc", '"', "gc/heap.h"),
                         "compiler/lower may not include gc")

    def test_only_some_layers_include_llvm(self):
        self.assertIsNone(check_layers.check_include("compiler/emit/emit.cc", '"', "llvm/IR/Module.h"))
        self.assertEqual(check_layers.check_include("runtime/start/start.cc", "<", "llvm/IR/Module.h"),
                         "runtime may not include LLVM")

    def test_berkeley_db_is_included_in_one_place(self):
        self.assertIsNone(check_layers.check_include("store/bdb/bdb_page_server.cc", "<", "db.h"))
        self.assertIsNotNone(check_layers.check_include("stabilize/state/database.cc", "<", "db.h"))

    def test_a_path_that_is_not_from_the_root_is_reported(self):
        self.assertIn("not a path", check_layers.check_include("gc/heap.cc", '"', "heap.h"))



class ReadmeTest(unittest.TestCase):
    def test_a_readme_says_what_the_table_allows(self):
        said = "May use: `store/network`, `store/files`, `store/server`, `store/format`, `abi/`, `base/`. More."
        self.assertIsNone(check_layers.check_readme("store/remote", said))

    def test_what_is_not_said_or_not_allowed_is_told(self):
        said = "May use: `store/bdb`, `store/files`, `store/server`, `store/format`, `abi/`, `base/`."
        self.assertEqual(check_layers.check_readme("store/remote", said),
                         "store/remote/README.md: may use and does not say: ['store/network']; "
                         "says and may not: ['store/bdb']")

    def test_all_rooms_but_some(self):
        said = "May use: every room of `store/` but `remote` and `serve`.\n"
        self.assertIn("says and may not: ['store/cluster'", check_layers.check_readme("store/bdb", said))


class CheckTreeTest(unittest.TestCase):
    def test_problem_has_file_and_line(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "base"))
            with open(os.path.join(root, "base", "wrong.h"), "w") as file:
                file.write('#pragma once\n#include "gc/heap.h"\n')
            count, problems = check_layers.check_tree(root)
        self.assertEqual(count, 1)
        self.assertEqual(problems, ["base/wrong.h:2: base may not include gc"])

    def circles_in(self, layer):
        """The problems of a layer in which one.cc includes two.h, and two.cc includes one.h."""
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, layer))
            for name, included in (("one.h", None), ("one.cc", "two.h"), ("two.h", None),
                                   ("two.cc", "one.h")):
                with open(os.path.join(root, layer, name), "w") as file:
                    if included:
                        file.write(f'#include "{layer}/{included}"\n')
            return check_layers.check_tree(root)[1]

    def test_a_circle_of_two_modules_is_reported_in_each_layer_that_may_have_none(self):
        for layer in check_layers.LAYERS:
            expected = [] if layer in check_layers.LAYERS_WITH_CIRCLES else [
                f"these modules include each other in a circle: {layer}/one, {layer}/two"]
            self.assertEqual(self.circles_in(layer), expected)

    def test_only_the_run_time_may_have_circles(self):
        self.assertEqual(check_layers.LAYERS_WITH_CIRCLES, ("runtime",))

    def test_modules_that_include_each_other_through_a_source_file_are_reported(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "gc"))
            for name, included in (("heap.h", None), ("heap.cc", "pacer.h"), ("pacer.h", "card.h"),
                                   ("card.h", None), ("card.cc", "heap.h"), ("top.cc", "heap.h")):
                with open(os.path.join(root, "gc", name), "w") as file:
                    if included:
                        file.write(f'#include "gc/{included}"\n')
            count, problems = check_layers.check_tree(root)
        self.assertEqual(count, 6)
        self.assertEqual(problems, ["these modules include each other in a circle: "
                                    "gc/card, gc/heap, gc/pacer"])

    def test_folder_outside_the_table_is_reported(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "compiler", "misc"))
            open(os.path.join(root, "compiler", "misc", "x.cc"), "w").close()
            _, problems = check_layers.check_tree(root)
        self.assertEqual(problems, ["compiler/misc/x.cc: its folder is not in LAYERS"])


class CycleTest(unittest.TestCase):
    def test_cycle_is_found(self):
        self.assertIn(check_layers.find_cycle({"a": ["b"], "b": ["a"], "c": []}), ("a", "b"))

    def test_a_tree_has_none(self):
        self.assertIsNone(check_layers.find_cycle({"a": ["b", "c"], "b": ["c"], "c": []}))


if __name__ == "__main__":
    unittest.main()
