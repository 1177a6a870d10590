"""The page of `tenure db browse` in a Chromium with a store of a million objects: every view comes, and neither what is
read for it nor what it shows grows with the store. Only in the long tests."""

import os
import unittest

import looking_test
from browsing import BrowsedStoreTestCase
from browsing_page import VIEWS, Page

ITEMS = 500_000  # each with a text
MOST_PAGES = 1000  # that are read for a view
MOST_BYTES = 200_000  # of an answer
MOST_ELEMENTS = 15_000  # of the page


@unittest.skipUnless(os.environ.get("TENURE_LONG"), "long")
class MillionObjectsTest(BrowsedStoreTestCase):
    text = looking_test.RANDOM
    arguments = ("7", str(ITEMS))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = Page(cls.browse)

    @classmethod
    def tearDownClass(cls):
        cls.page.end()
        super().tearDownClass()

    def test_every_view_is_shown_and_is_as_small_as_that_of_a_small_store(self):
        # The scan tells how far it has come; objects do not wait for it.
        self.page.show("object?path=root.all")
        self.assertGreater(self.browse.scanned(timeout=600)["objects"], 1_000_000)
        middle = ITEMS // 2
        item, everything = self.browse.ref(f"root.all[{middle}]"), self.browse.ref("root.all")
        tree, names = self.browse.ref("root.tree"), self.browse.ref("root.names")
        types = {line["name"]: line["index"] for line in self.browse.ask("types")["types"]}
        views = [*VIEWS, f"object?path={item}", f"object?path={item}&tab=back", f"object?path={item}&tab=graph",
                 f"object?path={item}&tab=why", f"object?path={everything}&tab=graph", "object?path=root.names",
                 "object?path=root.tree", "object?path=root.texts", f"type?type={types['Main.Item']}",
                 f"pages?path={item}", f"query?q=root.tree[{5 * ITEMS}..{5 * ITEMS + 50}]"]
        for width in (1200, 360):
            self.page.resize(width, 900)
            for view in views:
                with self.subTest(view=view, width=width):
                    self.page.show(view)
                    self.assertEqual(self.page.all("main .wrong"), [])
                    self.assertLess(self.page.run("return document.querySelectorAll('*').length"), MOST_ELEMENTS)
        for name, parameters in (
                ("overview", {}), ("names", {}), ("object", {"path": item}), ("back", {"ref": item}),
                ("graph", {"ref": item}), ("graph", {"ref": everything}), ("graph", {"ref": names}), ("why", {"ref": item}),
                ("types", {}), ("objects", {"type": types["Main.Item"], "offset": middle}), ("pages", {}),
                ("page", {"page": 100}), ("entries", {"ref": everything, "offset": middle}),
                ("entries", {"ref": tree, "after": str(5 * ITEMS)}), ("entries", {"ref": names, "slot": middle}),
                ("query", {"q": f"root.tree[{5 * ITEMS}..{5 * ITEMS + 50}]"})):
            with self.subTest(name=name, **parameters):
                status, _, content = self.browse.request(
                    f"/api/{name}?" + "&".join(f"{key}={value}" for key, value in parameters.items()))
                self.assertEqual(status, 200, content[:500])
                self.assertLess(len(content), MOST_BYTES)
                self.assertLess(self.browse.ask(name, **parameters)["pages_read"], MOST_PAGES)
        self.assertEqual(self.page.errors(), [])


if __name__ == "__main__":
    unittest.main()
