"""A server that starts with what a cut left: it must show and tell what the model says."""

import random
import shutil

from changes import check_all
from checks import check_story
from cutting import Cut, Expectations
from disk import Image
from model import KINDS
from recorded import Listener
from server import Server, wait_until
from session import REST_SECONDS, TOKENS, Session, tokens


class RecoveredServer(Server):
    """Begins with an image in its folder."""

    def __init__(self, image: Image, kills: int):
        self.image, self.recovered_kills = image, kills
        try:
            super().__init__(tokens())
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise

    # Nothing is recorded.
    position = 0

    def start(self):
        disk = self.folder / "disk"
        for folder in self.image.folders:
            (disk / folder).mkdir(parents=True)
        for path, data in self.image.files.items():
            (disk / path).write_bytes(data)
        disk.mkdir(exist_ok=True)
        self.kills = self.recovered_kills
        super().start()

    @property
    def environment(self):
        changed = {"TWEENCAST_DATA": str(self.folder / "disk/data")}
        return {name: value for name, value in super().environment.items() if name != "LD_PRELOAD"} | changed


class RecoveredSession(Session):
    """The session as its clients knew it at a cut, which goes on."""

    def __init__(self, expected: Expectations, cut: Cut, image: Image):
        recording = expected.recording
        self.random, self.log = random.Random(cut.number), lambda _: None
        for name, value in expected.model(cut, image).items():
            setattr(self, name, value)
        self.readers, self.offset = [], 0
        self.crowd = None
        # All deaths until then, and the cut.
        self.server = RecoveredServer(image, len(recording.deaths) + 1)
        heard = expected.heard_before(cut)
        contents = expected.verdict(image).contents
        # Of the runs of which something is stored.
        self.epochs = contents.epochs if contents else set()
        self.journal = Listener(self.server, {kind: ["*"] for kind in KINDS}, TOKENS["root"], heard)
        self.greeted = sum(event.name == "hello" for event in heard)

    def wait_for_greeting(self):
        """Otherwise a reader without an id may come too late for what is told."""
        wait_until(lambda: self.journal.greetings > self.greeted, REST_SECONDS, "a greeting")

    def close(self):
        self.journal.end()
        self.server.close()


def recover(expected: Expectations, cut: Cut, image: Image) -> list[str]:
    """What is wrong with a server that starts there."""
    session = None
    try:
        session = RecoveredSession(expected, cut, image)
        session.wait_for_greeting()
        check_all(session)
        if session.journal.resets:
            expected.shop.counts["resets"] += 1
            _check_resets(session)
        else:
            check_story(session)
            _check_flood(session)
        _check_ids(session)
        session.server.terminate()
        return []
    except Exception as error:
        return [f"a start with it: {error!r}"]
    finally:
        if session:
            session.close()


def _check_resets(session: RecoveredSession):
    """Who is told `reset` has an id of a run that had stored nothing when it ended. It sees the board, and misses events."""
    place = ""
    for event in session.journal.told:
        epoch = place.rpartition("-")[0]
        assert event.name != "reset" or epoch not in session.epochs, f"{place} is known, and its reader was told reset"
        place = event.id or place


def _check_ids(session: RecoveredSession):
    """One id is one event, before the cut and behind it."""
    known: dict[str, str] = {}
    for event in session.journal.told:
        if event.is_shared:
            before = known.setdefault(event.id, event.text)
            assert before == event.text, f"{before} was heard, and then {event.text}"


def _check_flood(session: RecoveredSession):
    """Each of many motions was told to be complete, once, if many are told as one."""
    told = [event for event in session.journal.events if event.topic == ("ticker", "flood")]
    count = sum(event.data.get("count", 1) for event in told if event.name == "complete")
    total = session.totals["flood"]
    assert count == total, f"flood had {total} motions, and {count} were told as complete"
