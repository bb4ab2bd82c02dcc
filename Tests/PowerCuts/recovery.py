"""A server that starts with what a cut left: it must show and tell what the model says."""

import random

from changes import check_all
from checks import check_story
from cutting import Cut, Expectations
from disk import Image
from model import KINDS
from recorded import Listener
from server import Server
from session import TOKENS, Session, tokens


class RecoveredServer(Server):
    """Begins with an image in its folder."""

    def __init__(self, image: Image, kills: int):
        self.image, self.recovered_kills = image, kills
        super().__init__(tokens())

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
        try:
            topics = {kind: ["*"] for kind in KINDS}
            self.journal = Listener(self.server, topics, TOKENS["root"], heard)
        except BaseException:
            self.server.close()
            raise

    def close(self):
        self.journal.end()
        self.server.close()


def recover(expected: Expectations, cut: Cut, image: Image) -> list[str]:
    """What is wrong with a server that starts there."""
    session = None
    try:
        session = RecoveredSession(expected, cut, image)
        check_all(session)
        check_story(session)
        _check_ids(session)
        _check_flood(session)
        session.server.terminate()
        return []
    except AssertionError as error:
        return [f"a start with it: {error}"]
    finally:
        if session:
            session.close()


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
