"""Chromium on the virtual desktop, steered by its debugging protocol. What the protocol tells is for the harness alone; Luna sees the accessibility tree."""

import json
import os
import select
import subprocess
import time

import desktop

# A full window with tabs and a toolbar, as a person has it; its own buttons are candidates, too.
ARGUMENTS = [
    "--no-sandbox", "--test-type", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--force-renderer-accessibility",
    "--disable-background-networking", "--disable-features=Translate", "--password-store=basic", "--window-size=1000,800", "--window-position=40,40",
]
ANSWER_SECONDS = 15


class BrowserError(Exception):
    """The browser is gone, does not answer, or shows another page."""


class Browser(desktop.Program):
    """One Chromium with one tab. Commands go through a pipe, as NUL-terminated JSON."""

    def __init__(self, profile, log, application_window=False):  # pylint: disable=super-init-not-called
        ours, theirs = os.pipe(), os.pipe()
        self.input, self.output, self.rest, self.count = theirs[1], ours[0], b"", 0
        first = ["--app=about:blank"] if application_window else ["about:blank"]
        # The protocol's pipe has fixed numbers in the browser: 3 to read, 4 to write.
        script = f'exec "$@" 3<&{theirs[0]} 4>&{ours[1]}'
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                ["bash", "-c", script, "chromium", "chromium", "--remote-debugging-pipe", f"--user-data-dir={profile}", *ARGUMENTS, *first],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=(theirs[0], ours[1]), start_new_session=True,
            )
        os.close(theirs[0])
        os.close(ours[1])
        self.session = None
        pages = desktop.wait_for(self.pages, 60)
        if not pages:
            raise BrowserError("Chromium did not start")
        self.page = pages[0]["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": self.page, "flatten": True})["sessionId"]

    def pages(self):
        """The tabs."""
        targets = self.call("Target.getTargets", browser=True)["targetInfos"]
        return [target for target in targets if target["type"] == "page"]

    def call(self, method, parameters=None, browser=False, seconds=ANSWER_SECONDS):
        """The result of one command."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters or {}}
        if self.session and not browser:
            message["sessionId"] = self.session
        try:
            os.write(self.input, json.dumps(message).encode() + b"\0")
        except OSError as error:
            raise BrowserError(f"the browser is gone: {error}") from error
        until = time.monotonic() + seconds
        while True:
            answer = self.next_message(until)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def next_message(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.output], [], [], max(0, until - time.monotonic()))[0]:
                raise BrowserError("the browser does not answer")
            data = os.read(self.output, 65536)
            if not data:
                raise BrowserError("the browser is gone")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, script):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", {"expression": script, "returnByValue": True})
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", script))
        return answer["result"].get("value")

    def open(self, url, is_ready):
        """Loads a page and waits until a JavaScript condition holds."""
        self.call("Page.navigate", {"url": url})
        self.call("Page.bringToFront")
        ready = f"location.href === {json.dumps(url)} && document.readyState === 'complete' && ({is_ready})"
        if not desktop.wait_for(lambda: self.evaluate(ready), ANSWER_SECONDS, 0.05):
            raise BrowserError(f"{url} did not load")

    def end(self):
        super().end()
        for end in (self.input, self.output):
            os.close(end)
