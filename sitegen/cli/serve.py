"""The preview on the terminal: it begins, says where it is, tells of every change, and ends with Ctrl-C."""

import argparse
import signal
import sys
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path

from sitegen.cli.arguments import CONFIG
from sitegen.cli.report import as_text, tally
from sitegen.cli.terminal import ProgressLine, coloured, complain, plain
from sitegen.preview import Answers, LookFiles, News, PreviewError, Server, Session
from sitegen.problem import Problem
from sitegen.publish.manifest import MARKER, is_ours
from sitegen.quantity import counted
from sitegen.render import template_folder


def serve(given: argparse.Namespace) -> int:
    """Serve the site until Ctrl-C, and give the exit status: 0, or 1 where it cannot begin."""
    # A shell starts what is to run in the background with Ctrl-C ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Server(given.host, given.port) as server:
            _serve(given, server)
    except PreviewError as error:
        complain(str(error))
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _serve(given: argparse.Namespace, server: Server) -> None:
    terminal = _Terminal()
    progress = ProgressLine(sys.stderr)
    look = LookFiles(given.config or CONFIG, (template_folder("templates"),), template_folder("static"), given.base_url)
    session = Session(given.records, look, tell=terminal.tell, jobs=given.jobs, poll=given.poll)
    server.answers = Answers(session)
    try:
        session.load(progress.stage("Reading", "files"))
        progress.clear()
        _no_site_within(terminal.problems)
        polls = session.start()
        terminal.say(*_notes(server))
        terminal.say_how_it_watches(polls)
        url = server.origin + session.mount
        terminal.say(f"Serving {url} until Ctrl-C.")
        if given.open:
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        server.serve_forever()
    finally:
        progress.clear()
        session.end()


def _notes(server: Server) -> list[str]:
    """What is not as usual."""
    notes = []
    if server.moved_from is not None:
        notes.append(f"Port {server.moved_from} is in use: this is on {server.port}.")
    if not server.loopback:
        notes.append(f"Warning: others on the network can see this preview, because it listens on {server.asked_host}.")
    return notes


def _no_site_within(problems: tuple[Problem, ...]) -> None:
    """Refuse records that a site was built among: its data would be read as records, and each build be a change."""
    for problem in problems:
        file = Path(problem.file)
        if file.name == MARKER and is_ours(file.parent):
            message = f"{file.parent}: is a site that sitegen built, and lies among the records. Move one of the two."
            raise PreviewError(message)


class _Terminal:
    """Says what changed and what is wrong: each problem when it is new, and all of them when one is an error."""

    def __init__(self) -> None:
        self.problems: tuple[Problem, ...] = ()
        self._polls = ""
        self._begun = False

    def tell(self, news: News) -> None:
        """Say what became of a change."""
        outcome = news.outcome
        self.say_how_it_watches(news.polls)
        known = set(() if outcome.failed else self.problems)
        if outcome.problems != self.problems:
            fresh = [problem for problem in outcome.problems if problem not in known]
            self.say(*as_text(fresh, colours=coloured(sys.stdout), brief=True))
        self.problems = outcome.problems
        self.say(self._line(news))
        self._begun = True

    def say_how_it_watches(self, polls: str) -> None:
        """Say that changes are polled for, and why, when that is new."""
        if self._begun and polls != self._polls:
            self._polls = polls
            self.say(f"Polling for changes, {polls}: they are seen somewhat later.")

    def _line(self, news: News) -> str:
        outcome = news.outcome
        if outcome.site is None:
            return f"There is no site to show yet: {tally(outcome.problems)}."
        if outcome.failed:
            return f"The site stays as it was: {tally(outcome.problems)}."
        catalogue = outcome.site.pages.book.judged.catalogue
        records = counted(catalogue.loaded.records, "record")
        read = f"{records} in {counted(len(catalogue.groups), 'comparison group')}"
        if not self._begun:
            return f"Read {read} in {news.seconds:.2f} s: {tally(outcome.problems)}."
        files = outcome.files
        what = plain(str(files[0])) if len(files) == 1 else counted(len(files), "file")
        return f"{what}: shown after {news.seconds * 1e3:.0f} ms, {read}."

    def say(self, *lines: str) -> None:
        """Print lines at once, also into a pipe."""
        with suppress(BrokenPipeError):  # nobody listens any more: the browser still does
            for line in lines:
                print(line, flush=True)  # noqa: T201 - the command line speaks
