"""`tenure db browse` asked as its page asks: what each address answers, who is answered, stores in use, changes."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import browsing
import looking_test
import programs
from browsing import Browse, BrowsedStoreTestCase, field
from programs import TENURE

sys.path.insert(0, os.path.join(programs.ROOT, "tests", "fuzz"))
import store_fuzz as trees  # noqa: E402

# program STORE: appends numbered objects to a list, one transaction for each line of input. None of them is begun
# again: whoever only looks at the store gives way.
WRITER = r"""
MODULE Main;
IMPORT Database, Transaction, Params, IO, Fmt, Text;
<*FATAL ANY*>
TYPE
  Entry = OBJECT number: INTEGER; name: TEXT; next: Entry END;
  List = OBJECT first: Entry; count: INTEGER END;
VAR db: Database.T;  tr := NEW(Transaction.T);  list: List;
BEGIN
  TRY
    db := Database.Open(Params.Get(1));
  EXCEPT Database.DatabaseNotFound =>
    Database.Create(Params.Get(1));
    db := Database.Open(Params.Get(1));
    tr.begin(); db.setRoot(NEW(List)); tr.commit();
  END;
  IO.Put("ready\n");
  WHILE NOT IO.EOF() DO
    IF Text.Equal(IO.GetLine(), "hold") THEN
      tr.begin(); list := db.getRoot(); INC(list.count);
      IO.Put("held\n"); EVAL IO.GetLine();
      tr.abort();
    ELSE
      tr.begin(); list := db.getRoot(); INC(list.count);
      list.first := NEW(Entry, number := list.count, name := "entry " & Fmt.Int(list.count), next := list.first);
      tr.commit();
    END;
    IO.Put("done\n");
  END;
END Main.
"""


class Writer:
    """The program WRITER, which commits when it is told to."""

    def __init__(self, program, store):
        self.process = subprocess.Popen([program, store], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.line = self.process.stdout.readline().strip()

    def tell(self, what="write"):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(60)
        self.process.stdout.close()
        return status


class EveryTypeTest(BrowsedStoreTestCase):
    """One store with a value of every type, browsed read-only."""

    text = looking_test.EVERY_TYPE

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.scan = cls.browse.scanned()

    def ask(self, name, **parameters):
        return self.browse.ask(name, **parameters)

    def test_the_overview_counts_what_stat_counts(self):
        overview = self.ask("overview")
        self.browse.ask("state")
        stat = json.loads(subprocess.run([TENURE, "db", "stat", self.store, "--json"], check=True,
                                         stdout=subprocess.PIPE).stdout)["databases"][0]
        for name in ("objects", "bytes", "free_bytes", "pages", "last_page"):
            self.assertEqual(overview[name], stat[name], name)
        types = {line["name"]: line for line in overview["types"]}
        for line in stat["types"]:
            self.assertEqual([types[line["type"]][key] for key in ("objects", "bytes")],
                             [line["objects"], line["bytes"]])
        self.assertEqual(overview["name_count"], 2)
        # r.unused was dropped by the second commit, and has not been collected.
        self.assertEqual(overview["unreached"], 1)

    def test_connections_that_say_nothing_keep_no_browser_out(self):
        silent = [socket.create_connection(("127.0.0.1", self.browse.port), timeout=60) for _ in range(300)]
        try:
            self.assertIn("objects", self.ask("overview"))
        finally:
            for one in silent:
                one.close()

    def test_an_object_has_its_fields_as_show_has_them(self):
        shown = subprocess.run([TENURE, "db", "show", self.store, "root"], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        answer = self.ask("object", path="root")
        self.assertEqual(answer["object"]["type"], "Main.Rec")
        for name in ("i", "c", "w", "b", "e", "r", "x", "set", "arr", "rec", "pk", "proc", "t", "wt", "atom", "many"):
            text = re.search(rf"^  {name} += (.*)$", shown, re.M)[1]
            self.assertEqual(field(answer, name)["text"], text, name)
        self.assertEqual(field(answer, "time")["time"], "2001-09-09 01:46:40 UTC")
        record = {part["name"]: part for part in field(answer, "rec")["fields"]}
        self.assertEqual(record["city"]["text"], '"Paris"')
        self.assertEqual(self.ask("object", path=record["city"]["path"])["object"]["characters"], "Paris")
        array = field(answer, "parr")
        self.assertEqual([part["text"] for part in array["elements"]], [str(i) for i in range(10)])
        self.assertEqual(self.ask("object", path="root.person.address.city")["object"]["characters"], "London")

    def test_a_wrong_path_is_underlined(self):
        problem = self.browse.ask("object", status=400, path="root.persn")["problem"]
        self.assertEqual((problem["begin"], problem["end"]), (5, 10))
        self.assertIn("did you mean person?", problem["what"])
        self.assertIn("there is no key", self.browse.ask("object", status=404, path='root.tbl["zed"]')["error"])
        self.assertIn("9999", self.browse.ask("back", status=400, ref="9999")["error"])

    def all_entries(self, path, **parameters):
        reference = self.browse.ref(path)
        entries, turn = [], {}
        for _ in range(1000):
            answer = self.ask("entries", ref=reference, **parameters, **turn)
            entries += answer["entries"]
            turn = answer.get("next")
            if turn is None:
                return entries
        self.fail("the container has no end")

    def test_containers_are_paged_from_any_place(self):
        keys = [entry["key"]["text"] for entry in self.all_entries("root.bt", limit=7)]
        self.assertEqual(keys, [str(3 * i) for i in range(1, 101)])
        keys = [entry["key"]["text"] for entry in self.all_entries("root.tt", limit=4)]
        self.assertEqual(keys, [f'"key{i:03}"' for i in range(1, 31)])
        # A hash table: its slots have no order, but none is left out or comes twice.
        for limit in (1, 10, 64):
            entries = self.all_entries("root.numbers", limit=limit)
            self.assertEqual(sorted((int(entry["key"]["text"]), int(entry["value"]["text"])) for entry in entries),
                             [(i * 7 - 100, i) for i in range(1000)])
        self.assertEqual({entry["key"]["text"] for entry in self.all_entries("root.tbl", limit=1)},
                         {'"ada"', '"bob"', '"zoë"'})
        self.assertEqual([entry["value"]["text"] for entry in self.all_entries("root.list", limit=2)], ["1", "2", "3"])
        self.assertEqual([entry["index"] for entry in self.all_entries("root.seq", limit=2)], [0, 1, 2])
        self.assertEqual([entry["key"]["text"] for entry in self.all_entries("root.set1", limit=1)].__len__(), 2)
        large = self.ask("entries", ref=self.browse.ref("root.large"), offset=99990, limit=50)
        self.assertEqual(large["entries"][-1]["value"]["text"], "9999800001")
        self.assertNotIn("next", large)
        after = self.ask("entries", ref=self.browse.ref("root.bt"), after="290", limit=50)
        self.assertEqual([entry["key"]["text"] for entry in after["entries"]], ["291", "294", "297", "300"])

    def test_containers_are_searched(self):
        found = self.all_entries("root.ages", search="N99")
        self.assertEqual(sorted(entry["key"]["text"] for entry in found),
                         sorted(['"n99"'] + [f'"n99{i}"' for i in range(10)]))
        self.assertEqual([entry["value"]["text"] for entry in self.all_entries("root.bt", search="v77")], ['"v77"'])
        path = found[0]["value"]["path"]
        self.assertEqual(self.ask("object", path=path)["cell"]["text"], found[0]["value"]["text"])

    def test_links_lead_back(self):
        ada = self.browse.ref("ada")
        back = self.ask("back", ref=ada)
        lines = {line["ref"]: line for line in back["back"]}
        root = lines[self.browse.ref("root")]
        self.assertEqual(sorted(root["slots"])[:2], ["any", "person"])
        self.assertEqual(back["count"], len(back["back"]))
        self.assertEqual(self.ask("object", path=ada)["object"]["back"], back["count"])
        for line in back["back"]:
            self.assertGreater(line["slot_count"], 0)

    def test_why_is_the_path_that_the_command_finds(self):
        for path in ('root.tbl["ada"]', "root.cell", "root.stack.top.below"):
            reference = self.browse.ref(path)
            said = json.loads(subprocess.run([TENURE, "db", "why", self.store, reference, "--json"], check=True,
                                             stdout=subprocess.PIPE).stdout)
            answer = self.ask("why", ref=reference)
            self.assertEqual(len(answer["path"]), len(said["path"]))
            self.assertEqual(answer["path"][0]["through"], "the root")
            self.assertEqual(answer["path"][-1]["ref"], reference)
            for step in answer["path"][1:]:
                self.assertFalse(step["since_changed"])
        garbage = next(line for line in self.ask("types")["types"] if line["name"] == "Main.Unused")
        # r.unused is declared as a type of its own.
        objects = self.ask("objects", type=garbage["index"])["objects"]
        self.assertFalse(self.ask("why", ref=objects[0]["ref"])["reached"])

    def test_the_graph_has_both_directions(self):
        ada = self.browse.ref("ada")
        graph = self.ask("graph", ref=ada)
        self.assertEqual(graph["nodes"][0]["ref"], ada)
        refs = {node["ref"] for node in graph["nodes"]}
        self.assertLessEqual(len(refs), 40)
        self.assertEqual(len(refs), len(graph["nodes"]))
        for link in graph["links"]:
            self.assertLessEqual({link["source"], link["target"]}, refs)
        self.assertIn({"source": self.browse.ref("root"), "target": ada},
                      [{"source": link["source"], "target": link["target"]} for link in graph["links"]])
        self.assertTrue(any(link["source"] == ada and link["slot"] == "friends" for link in graph["links"]))

    def test_types_have_fields_and_histograms(self):
        types = {line["name"]: line for line in self.ask("types")["types"]}
        person = self.ask("type", type=types["Main.Person"]["index"])
        self.assertEqual(person["objects"], 1)
        self.assertIn("Main.Student", [line["name"] for line in person["subtypes"]])
        fields = {line["name"]: line for line in person["fields"]}
        self.assertEqual(fields["age"]["histogram"]["bins"], [{"from": 36.0, "to": 36.0, "count": 1}])
        self.assertEqual(fields["name"]["histogram"]["bins"], [{"value": '"Ada"', "count": 1}])
        rec = {line["name"]: line for line in self.ask("type", type=types["Main.Rec"]["index"])["fields"]}
        self.assertEqual(rec["e"]["histogram"]["bins"], [{"value": "Blue", "count": 1}])
        self.assertEqual(rec["b"]["histogram"]["bins"], [{"value": "TRUE", "count": 1}])
        student = {line["name"]: line for line in self.ask("type", type=types["Main.Student"]["index"])["fields"]}
        self.assertEqual({line["value"] for line in student["hours"]["histogram"]["bins"]}, {"Mo", "Tu", "We"})
        self.assertEqual(len(rec["set"]["histogram"]["bins"]), 5)
        self.assertEqual(rec["unused"]["histogram"]["none"], 1)

    def test_pages_are_mapped(self):
        overview, pages = self.ask("overview"), self.ask("pages")
        self.assertEqual(pages["count"], overview["last_page"])
        self.assertEqual(len(pages["types"]), pages["count"])
        self.assertEqual(sum(line["pages"] for line in pages["legend"]), overview["pages"])
        for number in (1, overview["last_page"]):
            page = self.ask("page", page=number)
            full = sum(line["bytes"] for line in page["objects"])
            if "free_bytes" in page:
                self.assertEqual(full + page["free_bytes"], 8192)
                self.assertEqual(pages["fullness"][number - 1], full * 100 // 8192)
        few = self.ask("pages", most=10)
        self.assertLessEqual(len(few["types"]), 10)
        self.assertEqual(few["pages_of_cell"], -(-pages["count"] // 10))
        self.assertIn("does not exist", self.browse.ask("page", status=404, page=overview["last_page"] + 5)["error"])

    def test_a_traversal_counts_the_pages_that_it_touches(self):
        walk = self.ask("traversal", path="root")
        self.assertTrue(walk["complete"])
        # All that the root reaches: what is garbage, and the table of names, are not among it.
        overview = self.ask("overview")
        self.assertLess(walk["objects"], overview["objects"])
        self.assertGreater(walk["objects"], overview["objects"] - 20)
        self.assertEqual(walk["touched"], len(set(walk["pages"])))
        self.assertGreaterEqual(walk["touched"], walk["least_pages"])
        self.assertEqual(self.ask("traversal", path="root", order="depth")["objects"], walk["objects"])
        self.assertEqual(self.ask("traversal", path="root", most=3)["objects"], 3)

    def test_queries_have_the_rows_of_the_command(self):
        answer = self.ask("query", q="root.ages where value mod 100 = 0 sort by value desc limit 2 select value")
        self.assertEqual(answer["columns"], ["value"])
        self.assertEqual([row[0]["text"] for row in answer["rows"]], ["900", "800"])
        self.assertTrue(self.ask("query", q="root.ages", most=10)["more"])
        problem = self.browse.ask("query", status=400, q="Main.Person where nmae = 1")["problem"]
        self.assertIn("did you mean name?", problem["shown"])
        self.assertEqual(self.ask("complete", text="root.pers")["completions"], ["person", "persons"])

    def test_nothing_is_changed_without_read_write(self):
        self.assertFalse(self.ask("state")["may_change"])
        self.assertIn("--read-write", self.browse.post("set", {"path": "root.i", "value": "1", "dry_run": False},
                                                       status=403)["error"])

    def test_who_has_no_token_gets_nothing(self):
        browse = self.browse
        for path in ("/", "/?token=", "/?token=" + "0" * len(browse.token), "/app.js", "/api/state", "/api/live"):
            status, headers, content = browse.request(path, cookie=False)
            self.assertEqual(status, 403, path)
            self.assertNotIn("Set-Cookie", headers)
            self.assertNotIn(browse.token.encode(), content)
        wrong = {"Cookie": f"tenure-{browse.port}={browse.token[:-1]}"}
        self.assertEqual(browse.request("/api/state", headers=wrong, cookie=False)[0], 403)
        # The token opens the page alone; its cookie is for this server, and no script reads it.
        self.assertEqual(browse.request(f"/api/state?token={browse.token}", cookie=False)[0], 403)
        status, headers, _ = browse.request(f"/?token={browse.token}", cookie=False)
        self.assertEqual(status, 200)
        self.assertEqual(headers["Set-Cookie"], f"{browse.cookie}; Path=/; HttpOnly; SameSite=Strict")

    def test_other_names_of_this_machine_are_not_answered(self):
        browse = self.browse
        for host in ("evil.example", f"evil.example:{browse.port}", "127.0.0.1", f"127.0.0.1:{browse.port + 1}",
                     f"127.0.0.1.evil.example:{browse.port}", ""):
            self.assertEqual(browse.request("/api/state", headers={"Host": host})[0], 421, host)
        self.assertEqual(browse.request("/api/state", headers={"Host": f"localhost:{browse.port}"})[0], 200)

    def test_other_sites_pages_are_not_answered(self):
        browse = self.browse
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": f"http://127.0.0.1:{browse.port + 1}"},
                        {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            self.assertEqual(browse.request("/api/state", headers=headers)[0], 403, headers)
        self.assertEqual(browse.request("/api/state", headers={"Sec-Fetch-Site": "same-origin"})[0], 200)

    def test_every_answer_forbids_what_the_page_does_not_need(self):
        for path in ("/", "/api/state", "/api/nothing", "/nothing"):
            headers = self.browse.request(path)[1]
            self.assertIn("default-src 'none'; script-src 'self'", headers["Content-Security-Policy"])
            self.assertNotIn("unsafe", headers["Content-Security-Policy"])
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Cache-Control"], "no-store")
        page = self.browse.request("/")[2].decode()
        self.assertNotRegex(page, r"<script(?![^>]*src)|\sstyle=|\son\w+=")
        self.assertNotRegex(page, r"(src|href)=\"(https?:)?//")

    def test_requests_that_are_none(self):
        self.assertEqual(self.browse.request("/api/set")[0], 405)
        self.assertEqual(self.browse.request("/api/state", "POST", "{}")[0], 405)
        self.assertEqual(self.browse.request("/../../etc/passwd")[0], 404)
        self.assertEqual(self.browse.request("/api/set", "POST", "x" * (3 << 20))[0], 413)
        self.browse.ask("overview", status=404, db="nothing")
        self.browse.ask("type", status=404, type=99999)
        self.assertEqual(self.browse.ask("state")["scan"]["running"], False)

    def test_a_port_that_somebody_has_is_told(self):
        ran = subprocess.run([TENURE, "db", "browse", self.store, "--port", str(self.browse.port)], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(ran.returncode, 3)
        self.assertIn(f"cannot listen at port {self.browse.port}: Address already in use", ran.stderr)


# program STORE: an array of 300,000 references to 1,000 items, one of 2,000,000 that are NIL, and a list of 5,000.
LARGE = r"""
MODULE Main;
IMPORT Database, Transaction, Params, RefList;
<*FATAL ANY*>
TYPE
  Item = OBJECT number: INTEGER END;
  Items = REF ARRAY OF Item;
  Root = OBJECT many, none: Items; list: RefList.T; size: INTEGER END;
VAR
  db: Database.T;  tr := NEW(Transaction.T);  root := NEW(Root);
  items: ARRAY [0..999] OF Item;
BEGIN
  Database.Create(Params.Get(1)); db := Database.Open(Params.Get(1));
  tr.begin();
  root.many := NEW(Items, 300000); root.none := NEW(Items, 2000000);
  FOR i := 0 TO 999 DO items[i] := NEW(Item, number := i) END;
  FOR i := 0 TO 299999 DO root.many[i] := items[i MOD 1000] END;
  FOR i := 4999 TO 0 BY -1 DO root.list := RefList.Cons(items[i MOD 1000], root.list) END;
  db.setRoot(root);
  tr.commit();
END Main.
"""


class LargeObjectsTest(BrowsedStoreTestCase):
    """A view of an object with hundreds of thousands of references reads only some pages."""

    text = LARGE
    flags = ("--read-write",)
    MOST_PAGES = 400

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browse.scanned()

    def ask(self, name, **parameters):
        answer = self.browse.ask(name, **parameters)
        self.assertLess(answer["pages_read"], self.MOST_PAGES, name)
        return answer

    def test_who_refers_is_told_with_the_number_of_places(self):
        many, item = self.browse.ref("root.many"), self.browse.ref("root.many[7]")
        lines = {line["ref"]: line for line in self.ask("back", ref=item)["back"]}
        self.assertEqual(lines[many]["slot_count"], 300)
        self.assertEqual(lines[many]["slots"], [f"[{7 + 1000 * i}]" for i in range(10)])
        # References that have gone since the scan are not shown.
        self.browse.post("set", {"path": "root.many[1007]", "value": "root.many[8]", "dry_run": False})
        lines = {line["ref"]: line for line in self.ask("back", ref=item)["back"]}
        self.assertEqual((lines[many]["slot_count"], lines[many]["slots"][1]), (299, "[2007]"))
        self.browse.post("set", {"path": "root.many[1007]", "value": item, "dry_run": False})

    def test_a_graph_counts_what_it_leaves_out(self):
        many = self.browse.ref("root.many")
        nodes = {node["ref"]: node for node in self.ask("graph", ref=many)["nodes"]}
        self.assertEqual(nodes[many]["more"], 300000 - 12)
        root = {node["ref"]: node for node in self.ask("graph", ref=self.browse.ref("root"))["nodes"]}
        self.assertEqual(root[self.browse.ref("root.none")]["more"], 0)

    def test_why_goes_through_an_element(self):
        path = self.ask("why", ref=self.browse.ref("root.many[993]"))["path"]
        self.assertEqual([step["through"] for step in path], ["the root", "many", "[993]"])

    def test_a_traversal_ends(self):
        walk = self.ask("traversal", path="root", most=2000)
        self.assertFalse(walk["complete"])
        self.assertGreaterEqual(walk["objects"], 1)

    def test_a_list_is_paged_from_node_to_node(self):
        ref, more, numbers = self.browse.ref("root.list"), {}, []
        while more is not None:
            answer = self.ask("entries", ref=ref, limit=500, **more)
            numbers += [entry["index"] for entry in answer["entries"]]
            more = answer.get("next")
        self.assertEqual(numbers, list(range(5000)))
        middle = self.ask("entries", ref=ref, limit=2, offset=2500)
        self.assertEqual([entry["index"] for entry in middle["entries"]], [2500, 2501])
        self.assertEqual(middle["entries"][0]["value"]["ref"], self.browse.ref("root.many[500]"))


class ChangeTest(programs.ProgramTestCase):
    text = looking_test.EVERY_TYPE

    def setUp(self):
        self.store = os.path.join(self.directory, "store")
        subprocess.run([self.program, self.store], check=True)
        self.addCleanup(shutil.rmtree, self.store)
        self.browse = Browse(self.store, "--read-write")
        self.addCleanup(lambda: self.browse.end())

    def value(self, path):
        return self.browse.ask("object", path=path)["cell"]["text"]

    def set(self, path, value, status=200, **more):
        return self.browse.post("set", {"path": path, "value": value, **more}, status=status)

    def test_a_change_is_tried_and_then_made(self):
        tried = self.set("ada.age", "37")
        self.assertEqual(tried, {"before": "36", "after": "37", "changed": False})
        self.assertEqual(self.value("ada.age"), "36")
        made = self.set("ada.age", "37", dry_run=False, before="36")
        self.assertTrue(made["changed"])
        self.assertEqual(self.value("ada.age"), "37")
        self.set("root.e", "Green", dry_run=False)
        self.set("ada.name", '"Grace"', dry_run=False)
        self.assertEqual(self.browse.end()[0], 0)
        said = subprocess.run([self.program, self.store, "check"], check=True, text=True, stdout=subprocess.PIPE).stdout
        self.assertTrue(said.startswith("Grace London 37 1 "), said)

    def test_a_value_of_another_type_is_refused_and_underlined(self):
        for path, value, what in (("ada.age", "-1", "-1"), ("ada.age", '"x"', ""), ("root.e", "Pink", "Pink"),
                                  ("root.person", self.browse.ref("root.cell"), "cannot stand here"),
                                  ("root.nothing", "1", "no field nothing")):
            answer = self.set(path, value, status=400, dry_run=False)
            self.assertIn(what, answer["problem"]["shown"])
        self.assertEqual(self.value("ada.age"), "36")

    def test_a_value_that_has_changed_meanwhile_is_not_overwritten(self):
        self.set("ada.age", "40", dry_run=False)
        answer = self.set("ada.age", "41", status=400, dry_run=False, before="36")
        self.assertIn("40 by now", answer["problem"]["shown"])
        self.assertEqual(self.value("ada.age"), "40")

    def test_a_change_needs_our_page_and_its_token(self):
        asked = {"path": "ada.age", "value": "99", "dry_run": False}
        for headers in ({"X_Tenure_Token": None}, {"X_Tenure_Token": "0" * 48}, {"X_Tenure_Token": self.browse.token},
                        {"Origin": None}, {"Content_Type": "text/plain"}, {"Content_Type": None}):
            self.assertIn("must come from the page", self.browse.post("set", asked, status=403, **headers)["error"])
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
            status = self.browse.request("/api/set", "POST", json.dumps(asked),
                                         {key.replace("_", "-"): value for key, value in headers.items()})[0]
            self.assertEqual(status, 403)
        self.assertEqual(self.value("ada.age"), "36")


class StoreInUseTest(programs.ProgramTestCase):
    text = WRITER

    def setUp(self):
        self.store = os.path.join(self.directory, "store")
        Writer(self.program, self.store).end()
        self.addCleanup(shutil.rmtree, self.store)

    def begin_browse(self, *flags):
        browse = Browse(self.store, *flags)
        self.addCleanup(browse.end)
        return browse

    def test_programs_use_the_store_while_it_is_browsed(self):
        browse = self.begin_browse()
        self.assertEqual(browse.ask("state")["access"], "own")
        writer = Writer(self.program, self.store)
        self.assertEqual(writer.line, "ready")
        for i in range(3):
            self.assertEqual(writer.tell(), "done")
            # Each view is of now.
            self.assertEqual(field(browse.ask("object", path="root"), "count")["text"], str(i + 1))
        live = browse.ask("live")
        self.assertIn(writer.process.pid, [client["process"] for client in live["clients"]])
        self.assertEqual(writer.end(), 0)
        self.assertEqual(browse.end(), (0, ""))
        self.assertNotIn("SOCKET", browsing.store_files(self.store))
        self.assertIn("count = 3", subprocess.run([TENURE, "db", "show", self.store, "root"], check=True, text=True,
                                                  stdout=subprocess.PIPE).stdout)

    def test_commits_say_who_wrote_what_and_what_was_captured(self):
        browse = self.begin_browse()
        writer = Writer(self.program, self.store)
        writer.tell()
        # References are those of now: a later entry takes the place of this one in the list.
        first = browse.ask("commit", version=browse.ask("commits")["commits"][0]["version"])
        root = browse.ref("root")
        self.assertIn(root, [line["ref"] for line in first["changed"]])
        if first["new_pages"]:
            captured = first["captured"]
            self.assertTrue(any(line["by"] == root and line["slot"] == "first" or "Entry" in line["by_type"]
                                for line in captured), captured)
        for _ in range(2):
            writer.tell()
        commits = browse.ask("commits")
        self.assertEqual((commits["total"], len(commits["commits"])), (3, 3))
        last = commits["commits"][0]
        self.assertEqual((last["process"], last["program"]), (writer.process.pid, "program"))
        self.assertLess(abs(last["at"] - time.time()), 60)
        self.assertGreater(last["bytes"], 0)
        self.assertGreater(last["version"], commits["commits"][1]["version"])
        browse.ask("commit", status=404, version=1 << 60)
        writer.end()

    def test_the_scan_follows_what_others_commit(self):
        browse = self.begin_browse()
        done = browse.scanned()
        writer = Writer(self.program, self.store)
        for _ in range(5):
            writer.tell()
        self.assertEqual(browse.ask("state")["scan"]["done"]["commits_since"], 5)
        browse.post("scan", {})
        again = browse.scanned(since=done["at"])
        self.assertGreaterEqual(again["objects"], done["objects"] + 10)
        self.assertEqual(again["commits_since"], 0)
        # So does a query that reads all pages, although the other program keeps some for writing.
        writer.tell()
        self.assertEqual(browse.ask("query", q="Main.Entry count")["rows"][0][0]["text"], "6")
        writer.end()

    def test_views_do_not_wait_for_readers_and_live_tells_of_waits(self):
        server = subprocess.Popen([TENURE, "serve", self.store], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.wait)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.terminate)
        server.stdout.readline()
        writer = Writer(self.program, self.store)
        browse = self.begin_browse()
        self.assertEqual(browse.ask("state")["access"], "served")
        browse.scanned()
        # The other program's transaction has written the root's page: a view of it waits.
        self.assertEqual(writer.tell("hold"), "held")
        asked = subprocess.Popen(["curl", "-s", "-b", browse.cookie, f"http://127.0.0.1:{browse.port}/api/object?path=root"],
                                 stdout=subprocess.PIPE, text=True)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            waits = browse.ask("live")["waits"]
            if waits:
                break
        self.assertEqual(waits[0]["process"], browse.process.pid)
        self.assertEqual(waits[0]["holders"][0]["process"], writer.process.pid)
        self.assertIsNone(asked.poll())
        # Requests that need no page of the store are answered.
        self.assertEqual(len(browse.ask("commits")["commits"]), 0)
        self.assertEqual(writer.tell("end"), "done")
        self.assertIn('"count"', asked.communicate(timeout=60)[0])
        writer.end()
        self.assertEqual(browse.end()[0], 0)
        self.assertIsNone(server.poll())

    def test_a_store_that_another_program_has_is_shown_as_a_copy(self):
        writer = Writer(self.program, self.store)
        writer.tell()
        with tempfile.TemporaryDirectory() as directory:
            browse = Browse(self.store, environment=dict(os.environ, TMPDIR=directory))
            try:
                state = browse.ask("state")
                self.assertEqual(state["access"], "copy")
                self.assertIn(f"process {writer.process.pid}", state["holder"])
                self.assertEqual(field(browse.ask("object", path="root"), "count")["text"], "1")
                # The program goes on; the copy is of its moment.
                self.assertEqual(writer.tell(), "done")
                self.assertEqual(field(browse.ask("object", path="root"), "count")["text"], "1")
                self.assertFalse(browse.ask("live")["served"])
            finally:
                self.assertEqual(browse.end()[0], 0)
            self.assertEqual(os.listdir(directory), [])
        self.assertEqual(writer.end(), 0)

    def test_a_killed_browse_leaves_no_server(self):
        browse = self.begin_browse()
        browse.scanned()
        browse.process.kill()
        browse.process.wait()
        end = time.monotonic() + 30
        while time.monotonic() < end:
            ran = subprocess.run([TENURE, "db", "compact", self.store], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if ran.returncode == 0:
                break
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_a_place_without_a_store_stays_so(self):
        place = os.path.join(self.directory, "nothing")
        ran = subprocess.run([TENURE, "db", "browse", place], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 3)
        self.assertIn("nothing", ran.stderr)
        self.assertFalse(os.path.exists(place))
        ran = subprocess.run([TENURE, "db", "browse", self.store + ":other"], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        self.assertEqual(ran.returncode, 3)
        self.assertIn("other", ran.stderr)

    def test_a_damaged_page_is_told_and_the_rest_is_shown(self):
        writer = Writer(self.program, self.store)
        for _ in range(400):
            writer.tell()
        writer.end()
        subprocess.run([TENURE, "db", "verify", self.store], check=True, stdout=subprocess.DEVNULL)
        damaged = last_page(self.store) - 1
        trees.damage_page(os.path.join(self.store, "main.db"), damaged)
        browse = self.begin_browse()
        done = browse.scanned()
        self.assertEqual(done["damaged_pages"], 1, done)
        self.assertIn(f"{damaged}", " ".join(done["problems"]))
        self.assertEqual(field(browse.ask("object", path="root"), "count")["text"], "400")
        self.assertEqual(browse.ask("pages")["states"][damaged - 1], 1)
        self.assertIn("damaged", browse.ask("page", page=damaged))
        query = browse.ask("query", q="Main.Entry count")
        self.assertGreater(query["problem_count"], 0)
        self.assertLess(int(query["rows"][0][0]["text"]), 400)


def last_page(store):
    return json.loads(subprocess.run([TENURE, "db", "stat", store, "--json"], check=True,
                                     stdout=subprocess.PIPE).stdout)["databases"][0]["last_page"]


if __name__ == "__main__":
    unittest.main()
