"""The page of `tenure db browse` in a Chromium without a window: every view, links, keys, changes, other sites' pages,
light and dark, wide and narrow."""

import http.server
import os
import shutil
import threading
import unittest

import browse_test
import looking_test
import programs
from browsing import Browse, BrowsedStoreTestCase, field
from browsing_page import VIEWS, Keys, Page


class EveryTypePageTest(BrowsedStoreTestCase):
    """A store with a value of every type, which the page may change."""

    text = looking_test.EVERY_TYPE
    flags = ("--read-write",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browse.scanned()
        cls.page = Page(cls.browse)

    @classmethod
    def tearDownClass(cls):
        cls.page.end()
        super().tearDownClass()

    def setUp(self):
        self.page.resize(1200, 900)
        self.page.set_dark(False)
        self.page.errors()

    def tearDown(self):
        self.assertEqual(self.page.errors(), [])

    def types(self):
        return {line["name"]: line["index"] for line in self.browse.ask("types")["types"]}

    def test_the_token_leaves_the_address_bar(self):
        self.assertNotIn("token", self.page.address())
        self.assertNotIn("token", self.page.run("return document.cookie"))
        self.page.reload()

    def test_every_view_is_shown_and_fits_on_wide_and_narrow_screens(self):
        views = [*VIEWS, f"type?type={self.types()['Main.Rec']}", "object?path=root.tbl", "object?path=root.t",
                 "object?path=root.rec", "pages?path=root", "query?q=root.ages"]
        for width in (1200, 360):
            self.page.resize(width, 800)
            for view in views:
                with self.subTest(view=view, width=width):
                    self.page.show(view)
                    self.assertEqual(self.page.all("main .wrong"), [])
                    self.assertTrue(self.page.heading())
                    self.assertLessEqual(self.page.run(
                        "return document.documentElement.scrollWidth"), width)

    def test_whatever_can_be_used_has_a_name(self):
        for view in ("overview", "names", "object?path=root", "object?path=root.tbl", "object?path=root&tab=graph", "types",
                     "query?q=root.ages", "pages?path=root", "page?page=1"):
            self.page.show(view)
            for element in self.page.all("input, select, textarea, button, main a, canvas, svg[role]")[:80]:
                name = self.page.run(
                    "const e = arguments[0]; return (e.getAttribute('aria-label') || e.textContent || e.title"
                    " || [...(e.labels || [])].map((l) => l.textContent).join('')).trim()", element)
                self.assertTrue(name, (view, element.property("outerHTML")[:300]))
            self.assertEqual(len(self.page.all("main, nav#views, header")), 3)
            for heading in self.page.all("main table"):
                self.assertTrue(heading.all("caption, tbody"))

    def test_colours_follow_the_system_and_the_button(self):
        self.page.show("overview")
        ground = lambda: self.page.run("return getComputedStyle(document.body).backgroundColor")
        self.assertEqual(ground(), "rgb(255, 255, 255)")
        self.page.set_dark(True)
        self.assertEqual(ground(), "rgb(18, 23, 30)")
        self.page.one("#theme").click()
        self.page.until(lambda: ground() == "rgb(255, 255, 255)", "light")
        self.page.reload()
        self.assertEqual(ground(), "rgb(255, 255, 255)")
        self.page.run("localStorage.clear(); delete document.documentElement.dataset.theme")

    def test_the_treemap_leads_to_a_type(self):
        self.page.show("overview")
        leaf = '.treemap a[aria-label^="Main.Rec:"]'
        self.assertIn("1 object", self.page.one(leaf).attribute("aria-label"))
        self.page.click_drawn(leaf)
        self.page.wait_text("Fields")
        self.assertEqual(self.page.heading(), "Main.Rec")
        self.assertTrue(self.page.all("meter"))

    def test_a_path_leads_to_an_object_and_its_links_on_and_back(self):
        self.page.show("overview")
        self.page.one("#go-path").send_keys('root.tbl["ada"]' + Keys.ENTER)
        self.page.wait_text("Main.Person")
        self.page.wait_text('"London"')
        self.page.link("Referred to by").click()
        self.page.wait_text("person")
        self.page.link("Main.Rec").click()
        self.page.wait_text("-9223372036854775808")
        self.page.back()
        self.page.wait_text("By the last scan")
        self.page.link("Why").click()
        self.page.wait_text("The shortest path that keeps the object")
        steps = self.page.all("ol.path li")
        self.assertIn("the root", steps[0].text)
        self.assertIn('"Ada"', steps[-1].text)
        steps[0].all("a")[0].click()
        self.page.until(lambda: "Main.Person" not in self.page.heading(), "the root")

    def test_a_wrong_path_is_underlined(self):
        self.page.go("object?path=root.persn")
        self.page.wait_text("did you mean person?")
        self.assertIn("^^^^^", self.page.one("main .wrong").text)
        self.assertEqual(len(self.page.errors()), 1)  # the browser's own line about status 400

    def test_containers_are_paged_and_searched(self):
        self.page.show("object?path=root.bt")
        self.assertEqual(len(self.page.all("main tbody tr")), 50)
        self.page.button("Next").click()
        self.page.wait_text('"v100"')
        self.page.button("Previous").click()
        self.page.wait_text('"v1"')
        search = self.page.one('main input[name="search"]')
        search.send_keys("v77" + Keys.ENTER)
        self.page.wait_text("1 match in 100 entries")

    def test_the_graph_is_clicked_along(self):
        self.page.show("object?path=ada&tab=graph")
        before = self.page.heading()
        self.assertGreater(len(self.page.all(".graph a")), 2)
        self.page.click_drawn(".graph a", 1)
        self.page.until(lambda: self.page.heading() not in ("", before), "another object")
        self.page.wait(".graph a")

    def test_the_map_of_pages_is_used_with_keys(self):
        self.page.show("pages?path=root")
        self.assertIn("can be reached", self.page.one("#walk").text)
        canvas = self.page.one("#map")
        canvas.send_keys(Keys.ARROW_RIGHT + Keys.ARROW_RIGHT)
        self.assertIn("Page 2:", self.page.one("#cell").text)
        canvas.send_keys(Keys.ENTER)
        self.page.until(lambda: self.page.heading() == "Page 2", "page 2")

    def test_queries_show_rows_and_underline_mistakes(self):
        self.page.show("query")
        text = self.page.one("#query")
        text.clear()
        text.send_keys("root.ages where value < 3 sort by value select value")
        text.send_keys(Keys.CONTROL + Keys.ENTER)
        self.page.wait_text("3 rows")
        self.assertEqual([row.text for row in self.page.all("#rows tbody tr")], ["0", "1", "2"])
        self.page.go("query?q=Main.Person%20where%20nmae%20%3D%201")
        self.page.wait_text("did you mean name?")
        self.assertIn("^^^^", self.page.one("#rows .wrong").text)
        self.page.errors()

    def test_completions_are_offered(self):
        self.page.show("query")
        text = self.page.one("#query")
        text.clear()
        text.send_keys("root.perso")
        text.send_keys(Keys.CONTROL + " ")
        self.page.wait_text("persons")
        self.page.one("#completions button").click()
        self.assertEqual(text.property("value"), "root.person")

    def test_keys_lead_to_views(self):
        self.page.show("overview")
        body = self.page.one("body")
        for key, title in (("t", "Types"), ("p", "Map of pages"), ("l", "Live"), ("o", "Overview")):
            body.send_keys(key)
            self.page.until(lambda title=title: self.page.heading() == title, title)
        body.send_keys("?")
        self.page.until(lambda: self.page.one("#keys").property("open"), "the list of keys")
        self.page.one("#keys button").click()
        body.send_keys("/")
        self.assertEqual(self.page.driver.active().attribute("id"), "go-path")
        self.page.driver.active().send_keys(Keys.ESCAPE)

    def test_a_change_is_confirmed_before_it_is_made(self):
        self.page.show("object?path=ada&tab=fields")
        self.page.one('button[aria-label$=".age"]').click()
        self.assertFalse(self.page.one("#change-confirm").is_enabled())
        value = self.page.one("#new-value")
        value.clear()
        value.send_keys("-3")
        self.page.one("#change-check").click()
        self.page.until(lambda: "-3" in self.page.one("#change-said").text, "what is wrong")
        self.page.errors()  # the browser's own line about status 400
        self.assertFalse(self.page.one("#change-confirm").is_enabled())
        value.clear()
        value.send_keys("37")
        self.page.one("#change-check").click()
        self.page.until(lambda: "36 → 37" in self.page.one("#change-said").text, "the trial")
        self.assertEqual(self.browse.ask("object", path="ada.age")["cell"]["text"], "36")
        self.page.one("#change-confirm").click()
        self.page.until(lambda: self.browse.ask("object", path="ada.age")["cell"]["text"] == "37", "the change")
        self.page.until(lambda: "37" in self.page.one("main table").text, "the new value")
        self.browse.post("set", {"path": "ada.age", "value": "36", "dry_run": False})


# A page of another site: it asks for what browse answers, and sends changes, in every way that a page can.
ATTACK = """<!doctype html><title>begin</title><body><script>
const target = "http://127.0.0.1:PORT";
const change = JSON.stringify({path: "root.count", value: "666", dry_run: false});
(async () => {
  const got = [];
  for (const options of [{}, {credentials: "include"}, {mode: "no-cors", credentials: "include"},
                         {method: "POST", credentials: "include", body: change},
                         {method: "POST", mode: "no-cors", credentials: "include", body: change},
                         {method: "POST", credentials: "include", body: change, headers: {"Content-Type": "application/json"}}]) {
    for (const path of ["/api/state", "/api/set"]) {
      try {
        const answer = await fetch(target + path, options);
        got.push(answer.type === "opaque" ? "" : await answer.text());
      } catch { got.push(""); }
    }
  }
  const frame = document.createElement("iframe");
  frame.src = target + "/";
  document.body.append(frame);
  const script = document.createElement("script");
  script.src = target + "/api/state";
  document.body.append(script);
  await new Promise((done) => setTimeout(done, 500));
  document.title = "got: " + got.join("");
})();
</script>"""


class OtherSite(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        content = ATTACK.replace("PORT", str(self.server.target)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class StoreInUsePageTest(programs.ProgramTestCase):
    text = browse_test.WRITER

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = Page(rules="MAP evil.example 127.0.0.1, MAP rebound.example 127.0.0.1")

    @classmethod
    def tearDownClass(cls):
        cls.page.end()
        super().tearDownClass()

    def setUp(self):
        self.store = os.path.join(self.directory, "store")
        browse_test.Writer(self.program, self.store).end()
        self.addCleanup(shutil.rmtree, self.store)

    def begin(self, *flags):
        browse = Browse(self.store, *flags)
        self.addCleanup(browse.end)
        browse.scanned()
        self.page.begin(browse)
        return browse

    def test_a_store_that_changes_is_shown_as_it_is(self):
        browse = self.begin()
        writer = browse_test.Writer(self.program, self.store)
        writer.tell()
        self.page.show("object?path=root")
        self.assertIn("count\n1", self.page.one("main table").text.replace(" ", "\n"))
        writer.tell()
        self.page.show("object?path=root")
        self.assertIn("count\n2", self.page.one("main table").text.replace(" ", "\n"))
        self.page.show("commits")
        self.assertEqual(len(self.page.all("main tbody tr")), 2)
        self.page.all("main tbody tr a")[0].click()
        self.page.wait_text("Captured")
        self.page.show("live")
        self.page.wait_text(f"process {writer.process.pid}")
        self.page.one("#rescan").click()
        browse.scanned()
        self.page.show("overview")
        self.page.wait("#growth svg")
        writer.end()
        self.assertEqual(self.page.errors(), [])

    def test_a_view_that_waits_says_for_whom(self):
        self.begin()
        writer = browse_test.Writer(self.program, self.store)
        self.assertEqual(writer.tell("hold"), "held")
        self.page.go("object?path=root")
        self.page.wait_text("Waiting for page")
        self.assertIn(f"process {writer.process.pid}", self.page.one("main .waits").text)
        writer.tell("end")
        self.page.until(lambda: not self.page.all("main .waits") and "count" in self.page.text(), "the object")
        writer.end()

    def test_a_wrong_token_shows_nothing(self):
        browse = self.begin()
        self.page.forget_cookies()
        self.page.open(f"http://127.0.0.1:{browse.port}/?token=wrong")
        self.assertIn("the token is missing or wrong", self.page.text())
        self.page.open(f"http://127.0.0.1:{browse.port}/api/state")
        self.assertIn("the token is missing or wrong", self.page.text())
        self.page.errors()

    def test_another_sites_page_neither_reads_nor_writes(self):
        browse = self.begin("--read-write")
        site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OtherSite)
        site.target = browse.port
        threading.Thread(target=site.serve_forever).start()
        self.addCleanup(site.server_close)
        self.addCleanup(site.shutdown)
        for host in ("evil.example", "127.0.0.1"):
            self.page.open(f"http://{host}:{site.server_address[1]}/")
            self.page.until(lambda: self.page.title() != "begin", "the attack")
            self.assertEqual(self.page.title(), "got:")
        self.assertEqual(field(browse.ask("object", path="root"), "count")["text"], "0")
        self.page.errors()

    def test_a_name_that_leads_here_is_not_answered(self):
        browse = self.begin()
        for path in (f"/?token={browse.token}", "/", "/api/state"):
            self.page.open(f"http://rebound.example:{browse.port}{path}")
            self.assertIn("no other name leads to it", self.page.text())
        self.page.errors()

    def test_a_damaged_page_is_told(self):
        writer = browse_test.Writer(self.program, self.store)
        for _ in range(400):
            writer.tell()
        writer.end()
        last = browse_test.last_page(self.store)
        browse_test.trees.damage_page(os.path.join(self.store, "main.db"), last - 1)
        self.begin()
        self.page.wait_text("1 damaged page")
        self.page.show(f"page?page={last - 1}")
        self.page.wait_text("Damaged:")
        self.page.show("query?q=Main.Entry%20count")
        self.page.wait_text("Damaged, and left out here")
        self.page.show("pages")
        self.page.errors()


if __name__ == "__main__":
    unittest.main()
