"""A Chromium without a window, driven over WebDriver, for tests and pictures of the page of `tenure db browse`.

The driver is Debian's chromedriver; WebDriver is JSON over HTTP, so that any python3 can ask it."""

import base64
import json
import os
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # by which WebDriver marks an element

# Views of the store of looking_test.EVERY_TYPE that need no more to be named.
VIEWS = ("overview", "names", "object?path=root", "object?path=root&tab=fields", "object?path=root&tab=back",
         "object?path=root&tab=graph", "object?path=root&tab=why", "types", "query", "pages", "page?page=1", "commits",
         "live")


class Keys:
    ENTER, ESCAPE, CONTROL, RELEASE = "\ue007", "\ue00c", "\ue009", "\ue000"
    ARROW_RIGHT = "\ue014"


class WebDriverError(Exception):
    pass


class Element:
    """`again`: finds the element anew, where the page has replaced it since it was found; may be None."""

    def __init__(self, driver, name, again=None):
        self.driver, self.name, self.again = driver, name, again

    def ask(self, path, body=None):
        for _ in range(20):
            try:
                return self.driver.ask(f"/element/{self.name}{path}", body)
            except WebDriverError as problem:
                if self.again is None or "stale element reference" not in str(problem):
                    raise
                self.name = self.again().name
        return self.driver.ask(f"/element/{self.name}{path}", body)

    @property
    def text(self):
        return self.ask("/text")

    def click(self):
        self.ask("/click", {})

    def clear(self):
        self.ask("/clear", {})

    def send_keys(self, text):
        self.ask("/value", {"text": text})

    def attribute(self, name):
        return self.ask(f"/attribute/{name}")

    def property(self, name):
        return self.ask(f"/property/{name}")

    def is_enabled(self):
        return self.ask("/enabled")

    def all(self, selector):
        return [Element(self.driver, one[ELEMENT])
                for one in self.ask("/elements", {"using": "css selector", "value": selector})]


class Driver:
    """A session of a chromedriver of its own."""

    def __init__(self, flags):
        self.process = subprocess.Popen([DRIVER, "--port=0"], text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.base = None
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.base = f"http://127.0.0.1:{line.rstrip().rstrip('.').split()[-1]}/session"
                break
        options = {"binary": CHROMIUM, "args": flags}
        answer = self.call("POST", self.base, {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += "/" + answer["sessionId"]

    @staticmethod
    def call(method, address, body=None):
        request = urllib.request.Request(address, method=method, headers={"Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as problem:
            raise WebDriverError(problem.read().decode()[:2000]) from None

    def ask(self, path, body=None):
        return self.call("GET" if body is None else "POST", self.base + path, body)

    def command(self, name, **parameters):
        return self.ask("/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script, *arguments):
        sent = [{ELEMENT: one.name} if isinstance(one, Element) else one for one in arguments]
        return self.ask("/execute/sync", {"script": script, "args": sent})

    def find(self, how, what):
        return [Element(self, one[ELEMENT]) for one in self.ask("/elements", {"using": how, "value": what})]

    def active(self):
        return Element(self, self.ask("/element/active")[ELEMENT])

    def end(self):
        try:
            self.call("DELETE", self.base)
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()


class Page:
    """A browser with the page of a Browse; its profile is new."""

    def __init__(self, browse=None, size=(1200, 900), rules=""):
        if not (os.path.exists(CHROMIUM) and os.path.exists(DRIVER)):
            raise unittest.SkipTest(f"there is no {CHROMIUM} with {DRIVER}")
        self.profile = tempfile.TemporaryDirectory(prefix="tenure-chromium-", ignore_cleanup_errors=True)
        flags = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 f"--user-data-dir={self.profile.name}", f"--window-size={size[0]},{size[1]}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # which the administrator cannot have
        if rules:
            flags.append(f"--host-resolver-rules={rules}")
        self.driver = Driver(flags)
        if browse is not None:
            self.begin(browse)

    def begin(self, browse):
        self.open(browse.address)
        self.wait("main h2")

    def open(self, address):
        self.driver.ask("/url", {"url": address})

    def reload(self):
        self.driver.ask("/refresh", {})
        self.wait("main h2")

    def back(self):
        self.driver.ask("/back", {})

    def address(self):
        return self.driver.ask("/url")

    def title(self):
        return self.driver.ask("/title")

    def forget_cookies(self):
        self.driver.call("DELETE", self.driver.base + "/cookie")

    def run(self, script, *arguments):
        return self.driver.run(script, *arguments)

    def resize(self, width, height):
        self.driver.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                            mobile=False)

    def set_dark(self, dark):
        self.driver.command("Emulation.setEmulatedMedia",
                            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def go(self, view):
        self.run("location.hash = arguments[0]", "#/" + view)

    def show(self, view):
        """Goes to a view, and waits until it is there."""
        self.run("document.getElementById('main').dataset.view = '';"
                 "const before = location.hash; location.hash = arguments[0];"
                 "if (location.hash === before) window.dispatchEvent(new HashChangeEvent('hashchange'));", "#/" + view)
        self.until(lambda: self.run(
            "const main = document.getElementById('main');"
            "return main.dataset.view === arguments[0] && main.getAttribute('aria-busy') === 'false'",
            view.split("?")[0]), view)

    def until(self, done, what="", timeout=60):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                got = done()
            except WebDriverError as problem:  # an element that the page has just replaced
                if "stale element" not in str(problem):
                    raise
                got = None
            if got:
                return got
            time.sleep(0.03)
        raise AssertionError(f"{what} does not come: {self.text()[:3000]}")

    def all(self, selector):
        return self.driver.find("css selector", selector)

    def one(self, selector):
        found = self.all(selector)
        if not found:
            raise AssertionError(f"there is no {selector}: {self.text()[:3000]}")
        found[0].again = lambda: self.one(selector)
        return found[0]

    def wait(self, selector):
        return self.until(lambda: self.all(selector), selector)[0]

    def text(self):
        return self.run("return document.body ? document.body.innerText : ''")

    def heading(self):
        return self.run("const title = document.querySelector('main h2'); return title ? title.textContent : ''")

    def wait_text(self, text):
        self.until(lambda: text in self.text(), f"'{text}'")

    def link(self, text):
        return self.until(lambda: self.driver.find("partial link text", text), f"the link '{text}'")[0]

    def button(self, text):
        return self.until(lambda: self.driver.find("xpath", f"//button[text()='{text}']"), f"the button '{text}'")[0]

    def click_drawn(self, selector, place=0):
        """Clicks a link of a picture, even if another link covers it."""
        self.run("document.querySelectorAll(arguments[0])[arguments[1]].dispatchEvent("
                 "new MouseEvent('click', {bubbles: true, cancelable: true}))", selector, place)

    def errors(self):
        """What the page has said on the console since the last call. The browser asks for a site's icon when it likes,
        also for that of a site that an earlier test has visited."""
        return [line["message"] for line in self.driver.ask("/se/log", {"type": "browser"})
                if line["level"] == "SEVERE" and "/favicon.ico" not in line["message"]]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.driver.ask("/screenshot")))

    def end(self):
        self.driver.end()
        self.profile.cleanup()
