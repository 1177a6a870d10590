#!/usr/bin/env python3
"""How long `tenure db browse` takes for each view of a large store of random objects, by its own clock.

  browse_measure.py COUNT [STORE]     COUNT objects, with as many entries in a sequence, a B+ tree and two tables; STORE
                                      is made if it is not there, and stays
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse

import looking_test
import programs
from browsing import Browse

TIMES = 5


def main() -> None:
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="tenure-measure-") as directory:
        store = sys.argv[2] if len(sys.argv) > 2 else os.path.join(directory, "store")
        if not os.path.exists(store):
            program = programs.build_program(directory, looking_test.RANDOM)
            subprocess.run([program, store, "7", str(count)], check=True)
        began = time.monotonic()
        browse = Browse(store)
        done = browse.scanned(timeout=3600)
        print(f"{done['objects']} objects scanned in {done['seconds']:.1f} s ({time.monotonic() - began:.1f} s with the start)")
        with open(f"/proc/{browse.process.pid}/status", encoding="ascii") as file:
            memory = dict(re.findall(r"(VmHWM|VmRSS):\s*(.*)", file.read()))
        print(f"memory: {memory['VmHWM']} at most, {memory['VmRSS']} now")
        item = browse.ref(f"root.all[{count // 2}]")
        name = json.loads(browse.ask("query", q=f"root.all[{count // 2}] select name")["rows"][0][0]["text"])
        types = {line["name"]: line["index"] for line in browse.ask("types")["types"]}
        refs = {name: browse.ref(f"root.{name}") for name in ("all", "tree", "names", "texts")}
        middle = urllib.parse.quote(f'"item{count // 2}"')
        views = {
            "state": "state?", "overview": "overview?", "names": "names?", "an object": f"object?path={item}",
            "root": "object?path=root", "by key of a table": f"object?path=root.names[{urllib.parse.quote(json.dumps(name))}]",
            "sequence, its middle": f"entries?ref={refs['all']}&offset={count // 2}",
            "B+ tree, behind a key": f"entries?ref={refs['tree']}&after={5 * count}",
            "B+ tree of texts, behind a key": f"entries?ref={refs['texts']}&after={middle}",
            "table, from a slot on": f"entries?ref={refs['names']}&slot={count // 2}",
            "table, search": f"entries?ref={refs['names']}&search=nothing",
            "referred to by": f"back?ref={item}", "graph": f"graph?ref={item}", "graph of the root": f"graph?ref={browse.ref('root')}",
            "why": f"why?ref={item}", "types": "types?", "a type with histograms": f"type?type={types['Main.Item']}",
            "objects of a type": f"objects?type={types['Main.Item']}&offset={count // 2}", "map of pages": "pages?", "a page": "page?page=100",
            "traversal": f"traversal?path={item}", "commits": "commits?", "live": "live?",
            "query by key": f"query?q=root.tree[{5 * count}..{5 * count + 100}]",
        }
        for name, path in views.items():
            took = []
            for _ in range(TIMES):
                status, headers, content = browse.request("/api/" + path)
                assert status == 200, (name, status, content[:500])
                took.append(float(headers["Server-Timing"].split("dur=")[1]))
            print(f"{name:32} {sorted(took)[TIMES // 2]:8.1f} ms, at most {max(took):8.1f} ms, {len(content)} bytes")
        browse.end()


if __name__ == "__main__":
    main()
