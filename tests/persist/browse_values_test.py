"""`tenure db browse` with values that are long, or run from right to left; and a browser without JavaScript."""

import os
import unittest

from browsing import BrowsedStoreTestCase
from browsing_page import CHROMIUM, Page

COUNT, LENGTH, KEY = 60, 1 << 17, 900
HEBREW = "שלום עולם"

STORE = r"""
MODULE Main;
IMPORT Database, Fmt, IntTextTbl, Params, Text, TextRefTbl, Transaction;
<*FATAL ANY*>
TYPE
  Node = OBJECT n: INTEGER; long: TEXT; hebrew: TEXT END;
  Root = OBJECT nodes: REF ARRAY OF Node; byKey: TextRefTbl.Default; byNumber: IntTextTbl.Default END;

PROCEDURE Long(length: INTEGER; c: CHAR): TEXT =
  VAR t := Text.FromChar(c);
  BEGIN
    WHILE Text.Length(t) < length DO t := t & t END;
    RETURN Text.Sub(t, 0, length);
  END Long;

VAR
  db: Database.T;  tr := NEW(Transaction.T);
  root := NEW(Root, nodes := NEW(REF ARRAY OF Node, %d), byKey := NEW(TextRefTbl.Default).init(),
              byNumber := NEW(IntTextTbl.Default).init());
BEGIN
  Database.Create(Params.Get(1));
  db := Database.Open(Params.Get(1));
  tr.begin();
  FOR i := 0 TO LAST(root.nodes^) DO
    root.nodes[i] := NEW(Node, n := i, long := Long(%d, VAL(ORD('a') + i MOD 26, CHAR)), hebrew := "%s");
    EVAL root.byKey.put(Long(%d, VAL(ORD('A') + i MOD 26, CHAR)) & Fmt.Int(i), root.nodes[i]);
    EVAL root.byNumber.put(i, "value " & Fmt.Int(i));
  END;
  db.setRoot(root);
  tr.commit();
END Main.
""" % (COUNT, LENGTH, "".join("\\%03o" % byte for byte in HEBREW.encode()), KEY)


class LongValuesTest(BrowsedStoreTestCase):
    text = STORE

    def whole(self, name, **parameters):
        status, headers, content = self.browse.request(
            f"/api/{name}?" + "&".join(f"{key}={value}" for key, value in parameters.items()))
        return status, headers, content

    def test_long_texts_of_rows_are_cut_and_lead_to_the_whole(self):
        status, _, content = self.browse.request("/api/query?q=Main.Node%20sort%20by%20n")
        self.assertEqual(status, 200)
        self.assertLess(len(content), 200_000)
        answer = self.browse.ask("query", q="Main.Node sort by n")
        self.assertEqual(answer["columns"], ["id", "n", "long", "hebrew"])
        self.assertEqual(len(answer["rows"]), COUNT)
        for i, (place, number, long, hebrew) in enumerate(answer["rows"]):
            letter = chr(ord("a") + i % 26)
            self.assertEqual(place["text"], place["ref"])
            self.assertEqual(self.browse.ask("object", path=place["ref"])["object"]["type"], "Main.Node")
            self.assertEqual(number["text"], str(i))
            self.assertEqual(long["text"], f'"{letter * 400}"... {LENGTH - 400} more characters')
            self.assertTrue(long["is_text"])
            self.assertEqual(hebrew["text"], f'"{HEBREW}"')
        # Of the object the page has more, and says where the rest is.
        row = answer["rows"][3]
        text = self.browse.ask("object", path=row[2]["ref"])["object"]
        self.assertEqual(text["characters"], "d" * 20_000)
        self.assertEqual(text["more_characters"], LENGTH - 20_000)
        status, headers, content = self.whole("text", ref=row[2]["ref"])
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; charset=utf-8"))
        self.assertEqual(content, b"d" * LENGTH)
        self.assertEqual(self.whole("text", ref=row[3]["ref"])[2].decode(), HEBREW)
        self.assertEqual(self.whole("text", ref=row[0]["ref"])[0], 404)  # an object that is no text
        self.assertEqual(self.whole("text", ref="x")[0], 400)
        self.assertEqual(self.browse.request("/api/text?ref=" + row[2]["ref"], cookie=False)[0], 403)

    def test_the_same_texts_elsewhere(self):
        self.assertLess(len(self.whole("entries", ref=self.browse.ref("root.byKey"), limit=1000)[2]), 200_000)
        self.assertLess(len(self.whole("object", path="root.nodes")[2]), 200_000)
        # A text that a query has made has no object, and is cut like the others.
        cell = self.browse.ask("query", q='Main.Node where n = 1 select long & "x"')["rows"][0][0]
        self.assertEqual(cell["text"], f'"{"b" * 400}"... {LENGTH + 1 - 400} more characters')
        self.assertNotIn("ref", cell)

    def test_entries_of_tables_have_keys_and_values(self):
        entries = self.browse.ask("entries", ref=self.browse.ref("root.byNumber"), limit=1000)["entries"]
        self.assertEqual({(entry["key"]["text"], entry["value"]["text"]) for entry in entries},
                         {(str(i), f'"value {i}"') for i in range(COUNT)})


@unittest.skipUnless(os.path.exists(CHROMIUM), "chromium is not installed")
class LongValuesPageTest(BrowsedStoreTestCase):
    text = STORE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browse.scanned()
        cls.page = Page(cls.browse)

    @classmethod
    def tearDownClass(cls):
        cls.page.end()
        super().tearDownClass()

    def test_a_long_key_keeps_its_value_in_sight(self):
        for width in (1200, 700):
            self.page.resize(width, 900)
            self.page.show("object?path=root.byKey&tab=entries")
            value = self.page.one("tbody tr td")
            right = self.page.run("return arguments[0].getBoundingClientRect().left", value)
            self.assertLess(right, width - 50)
            self.assertIn("Main.Node", value.text)

    def test_ids_of_rows_and_long_texts_are_links(self):
        self.page.resize(1200, 900)
        self.page.show("query?q=Main.Node where n < 3 sort by n")
        first = self.page.one("#rows tbody tr td a")
        place = first.text
        self.assertRegex(place, r"^\d+:\d+$")
        first.click()
        self.page.until(lambda: self.page.heading() == place, "the object")
        self.page.wait_text("Main.Node")
        self.page.back()
        self.page.wait("#rows tbody")
        self.page.all("#rows tbody tr td:nth-child(3) a")[0].click()
        whole = self.page.link("the whole text")
        self.assertIn(f"{LENGTH - 20_000:,} characters more", self.page.text())
        self.page.open(whole.property("href"))
        self.assertEqual(self.page.text().strip(), "a" * LENGTH)
        self.page.begin(self.browse)

    def test_texts_keep_their_direction_to_themselves(self):
        self.page.show("query?q=Main.Node where n < 3 select hebrew, n sort by n")
        for cell in self.page.all("#rows tbody td:first-child"):
            self.assertEqual(self.page.run(
                "const text = arguments[0].querySelector('.texts');"
                "return getComputedStyle(text).unicodeBidi", cell), "isolate")
        # What follows a text stands to the right of it.
        self.page.show("object?path=root.nodes[0]&tab=fields")
        row = next(row for row in self.page.all("tbody tr") if row.text.startswith("hebrew"))
        text, place = self.page.run(
            "return [...arguments[0].querySelectorAll('td .texts, td a.type')].map((e) => e.getBoundingClientRect().left)", row)
        self.assertLess(text, place)

    def test_without_javascript_the_page_says_how_to_look(self):
        self.page.driver.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.page.open(self.browse.address)
            self.page.until(lambda: self.page.all("main a"), "the links")
            shown = " ".join(element.text for element in self.page.all("main h2, main p"))
            self.assertIn("This page needs JavaScript", shown)
            self.assertIn("tenure db show DIR", shown)
            for link in self.page.all("main a"):
                status, headers, _ = self.browse.request(link.attribute("href"))
                self.assertEqual((status, headers["Content-Type"]), (200, "application/json"), link.text)
        finally:
            self.page.driver.command("Emulation.setScriptExecutionDisabled", value=False)
            self.page.begin(self.browse)


if __name__ == "__main__":
    unittest.main()
