#!/usr/bin/env python3
"""Makes the pictures of the page of `tenure db browse` in docs/pictures, with a store of random objects.

  browse_pictures.py [DIRECTORY]     all views, light and dark, wide and narrow; without a directory, those of the
                                     documents

Needs the compiler in build/ (or TENURE_BUILD_DIR), and the packages of `build.py test`.
"""

import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "persist"))
sys.dont_write_bytecode = True

import browse_test  # noqa: E402
import looking_test  # noqa: E402
import programs  # noqa: E402
from browsing import Browse  # noqa: E402
from browsing_page import Page  # noqa: E402

WIDE, NARROW = (1200, 860), (390, 780)
ITEM = "root.all[777]"
VIEWS = {
    "overview": "overview", "names": "names", "object": f"object?path={ITEM}", "entries": "object?path=root.names",
    "back": f"object?path={ITEM}&tab=back", "graph": f"object?path={ITEM}&tab=graph&most=30",
    "why": f"object?path={ITEM}&tab=why", "types": "types", "type": None,
    "query": "query?q=from root.all where colour = Blue and price > 120 select id(it), name, number, price, days "
             "sort by price desc limit 12",
    "pages": f"pages?path={ITEM}&most=400", "page": "page?page=3", "commits": "commits", "live": "live",
}
# The pictures of docs/looking.md and the guide.
OF_DOCUMENTS = [("overview", False, WIDE, "browse-overview"), ("graph", True, WIDE, "browse-graph-dark"),
                ("pages", False, WIDE, "browse-pages"), ("entries", False, NARROW, "browse-entries-narrow")]


def main() -> None:
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "pictures")
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tenure-pictures-") as directory:
        os.mkdir(os.path.join(directory, "writer"))
        program = programs.build_program(directory, looking_test.RANDOM)
        writer = programs.build_program(os.path.join(directory, "writer"), browse_test.WRITER)
        store = os.path.join(directory, "shop")
        subprocess.run([program, store, "7", "20000"], check=True)
        os.chdir(directory)
        browse = Browse("shop", "--read-write")
        clients = [browse_test.Writer(writer, f"shop:{name}") for name in ("orders", "orders")]
        for i in range(40):
            clients[i % 2].tell()
        browse.scanned()
        types = {line["name"]: line["index"] for line in browse.ask("types")["types"]}
        views = dict(VIEWS, type=f"type?type={types['Main.Item']}")
        page = Page(browse)
        wanted = OF_DOCUMENTS
        if len(sys.argv) > 1:
            wanted = [(name, dark, size, f"{name}-{'dark' if dark else 'light'}-{size[0]}")
                      for name in views for dark in (False, True) for size in (WIDE, NARROW)]
        for name, dark, size, file in wanted:
            page.resize(*size)
            page.set_dark(dark)
            page.show(views[name])
            if name == "live":
                for _ in range(3):
                    clients[0].tell()
                    page.until(lambda: page.all("#rate svg"), "the rate")
            page.picture(os.path.join(target, f"{file}.png"))
        page.end()
        for client in clients:
            client.end()
        browse.end()


if __name__ == "__main__":
    main()
