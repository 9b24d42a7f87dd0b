# SPDX-License-Identifier: Apache-2.0
"""Opens a page of a site made by DocC in Chromium, and every page that links lead to from there.

    walk-site.py http://127.0.0.1:8000 /documentation/

Exits with 1 at a page that is not found, a link to a place that a page does not have, a resource that is missing, or an error of
a page. Links to other sites are listed and not followed.
"""

import collections
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.parse

TABS = 3

# A page is loaded once it has a title, or reports that it does not exist; then its links and anchors are read.
LOOK = """
new Promise((done) => {
    const page = () => document.querySelector("h1, .page-not-found, .not-found");
    const answer = () => done({
        title: page()?.innerText ?? "",
        links: [...new Set([...document.querySelectorAll("a[href]")].map((link) => link.href))],
        places: [...document.querySelectorAll("[id]")].map((element) => element.id),
    });
    const end = setTimeout(answer, 20_000);
    const look = () => page() && (clearTimeout(end), watch.disconnect(), setTimeout(answer, 50));
    const watch = new MutationObserver(look);
    watch.observe(document, { childList: true, subtree: true });
    look();
})
"""


class Chromium:
    """Chromium, controlled through a pipe: https://chromedevtools.github.io/devtools-protocol/."""

    def __init__(self, profile):
        commands, self.output = os.pipe()
        self.input, answers = os.pipe()

        def connect():
            # The two numbers may collide.
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, 3)
            os.dup2(second, 4)

        options = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--disable-gpu"]
        # Of several tabs all but one are in the background, where time passes slowly.
        options += ["--disable-background-timer-throttling", "--disable-renderer-backgrounding"]
        options += ["--disable-backgrounding-occluded-windows"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")
        self.process = subprocess.Popen(
            ["chromium", *options], preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL
        )
        os.close(commands)
        os.close(answers)
        self.numbers = itertools.count(1)
        self.waiting = {}
        self.events = collections.defaultdict(list)
        self.lock = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        rest = b""
        while part := os.read(self.input, 1 << 16):
            *messages, rest = (rest + part).split(b"\0")
            for message in map(json.loads, messages):
                if "id" in message:
                    self.waiting.pop(message["id"]).set_result(message)
                else:
                    self.events[message.get("sessionId")].append(message)

    def call(self, method, session=None, **parameters):
        number, answer = next(self.numbers), concurrent.futures.Future()
        self.waiting[number] = answer
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        with self.lock:
            os.write(self.output, json.dumps(message).encode() + b"\0")
        answer = answer.result(timeout=60)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open_tab(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log"]:
            self.call(f"{domain}.enable", session)
        return session

    def open(self, session, url):
        """The text of a page, and its errors."""
        self.events[session].clear()
        moved = self.call("Page.navigate", session, url=url)
        if "errorText" in moved:
            return {"title": "", "links": [], "places": []}, [moved["errorText"]]
        answer = self.call("Runtime.evaluate", session, expression=LOOK, awaitPromise=True, returnByValue=True)
        return answer["result"]["value"], list(filter(None, map(error_of, self.events[session])))

    def end(self):
        self.call("Browser.close")
        self.process.wait()


def error_of(event):
    """The error in an event of a page."""
    parameters = event["params"]
    match event["method"]:
        case "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            return details.get("exception", {}).get("description", details["text"])
        case "Runtime.consoleAPICalled" if parameters["type"] == "error":
            return "console: " + " ".join(str(argument.get("value")) for argument in parameters["args"])
        case "Log.entryAdded" if parameters["entry"]["level"] == "error":
            return f"console: {parameters['entry']['text']} {parameters['entry'].get('url', '')}"


class Walk:
    """The visited pages, and those still to be opened."""

    def __init__(self, site):
        self.site = site
        self.pages = {}
        self.others = set()
        self.links = {}
        self.errors = []

    def follow(self, link, origin):
        """Records a link; returns its page if it is new."""
        self.links.setdefault(link, origin)
        address, _ = urllib.parse.urldefrag(link)
        if not address.startswith(self.site + "/"):
            self.others.add(address)
            return None
        page = address.split("?")[0].rstrip("/") + "/"
        if page in self.pages:
            return None
        self.pages[page] = None
        return page

    def note(self, page, seen, errors):
        self.pages[page] = seen
        if not seen["title"] or "can’t be found" in seen["title"] or "can't be found" in seen["title"]:
            errors = ["the page does not exist", *errors]
        self.errors += [f"{page} (from {self.links.get(page)}): {error}" for error in errors]
        return list(filter(None, (self.follow(link, page) for link in seen["links"])))

    def check_places(self):
        for link, origin in self.links.items():
            address, place = urllib.parse.urldefrag(link)
            seen = self.pages.get(address.split("?")[0].rstrip("/") + "/")
            if place and seen and urllib.parse.unquote(place) not in seen["places"]:
                self.errors.append(f"{origin}: {link} leads to a missing anchor")


def main(site, start):
    walk = Walk(site)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, concurrent.futures.ThreadPoolExecutor(TABS) as pool:
        chromium = Chromium(profile)
        try:
            tabs = [chromium.open_tab() for _ in range(TABS)]
            page = walk.follow(site + start, "the beginning")
            opening = {pool.submit(chromium.open, tabs[0], page): (tabs.pop(0), page)}
            waiting, opened = collections.deque(), 0
            while opening:
                done, _ = concurrent.futures.wait(opening, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    tab, page = opening.pop(future)
                    tabs.append(tab)
                    waiting += walk.note(page, *future.result())
                    opened += 1
                    if opened % 200 == 0:
                        print(f"{opened} pages …", file=sys.stderr)
                while waiting and tabs:
                    tab, page = tabs.pop(), waiting.popleft()
                    opening[pool.submit(chromium.open, tab, page)] = (tab, page)
        finally:
            chromium.end()
    walk.check_places()
    print(f"{len(walk.pages)} pages, {len(walk.links)} links; not followed:", *sorted(walk.others), sep="\n    ")
    if walk.errors:
        sys.exit("\n".join([f"{len(walk.errors)} errors:", *walk.errors[:100]]))


main(*sys.argv[1:])
