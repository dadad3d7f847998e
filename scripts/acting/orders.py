"""A running Luna that is given orders as text."""

import json
import subprocess
import time
from pathlib import Path

import desktop
import luna

ORDER_SECONDS = 80


class Orders:
    """A Luna of its own, with rules only: its folder of models is empty unless one is given, so that no language model, recogniser or neural voice takes part."""

    def __init__(self, language, folder, log, models=None):
        self.language, self.folder, self.log = language, Path(folder), log
        self.environment = luna.environment(folder, language, LUNA_MODELS=str(models or self.folder / "models"))
        (self.folder / "models").mkdir(parents=True, exist_ok=True)
        self.program = None
        self.start()

    def start(self):
        control = self.folder / "run/control.json"
        control.unlink(missing_ok=True)
        self.program = desktop.Program([luna.binary(), "run"], self.environment, self.log)
        if not desktop.wait_for(control.exists, 60):
            self.end()
            raise RuntimeError(f"Luna did not start; see {self.log}")
        # The rules are made on a thread of their own.
        time.sleep(3)

    def version(self):
        return desktop.run(luna.binary(), "--version").strip()

    def carry_out(self, utterance):
        """(report, milliseconds): Luna's report, and the time from the order to it. An error has the outcome "error"."""
        if not self.program.alive():
            self.start()
        begin = time.monotonic()
        try:
            done = subprocess.run(
                [luna.binary(), "ctl", "do", utterance, "--json"], capture_output=True, text=True, timeout=ORDER_SECONDS, env=self.environment
            )
            report = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            told = luna.told(done.stderr) if isinstance(error, json.JSONDecodeError) else f"no answer within {ORDER_SECONDS} s"
            report = {"outcome": "error", "steps": [], "said": told}
        return report, round((time.monotonic() - begin) * 1000)

    def forget(self):
        """Ends an open question and all speech, so that the next order is no answer."""
        desktop.run(luna.binary(), "ctl", "focus", "stop", env=self.environment)

    def end(self):
        self.program.end()
