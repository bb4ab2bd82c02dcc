"""What befalls a server: it dies, ends, hands over, can't hand over, and its clock is set."""

from session import Session

# The clock of a virtual machine that slept; of one without a battery; of one that went wrong.
CLOCK_STEPS = [3_600, -3_600, 86_400, -60, 7]
# An operator tries again.
REFUSALS = 3


def refuse_hand_over(session: Session):
    with session.crowd.asking():
        for _ in range(REFUSALS):
            session.server.refuse_hand_over()
    session.crowd.check()


def kill(session: Session):
    session.server.kill()
    _change_clock_while_down(session)
    session.server.start()


def hand_over(session: Session):
    with session.crowd.asking():
        session.server.hand_over()
    session.crowd.check()


def terminate(session: Session):
    session.server.terminate()
    _change_clock_while_down(session)
    session.server.start()


def set_clock(session: Session):
    """Away from the right time, or back to it."""
    session.offset = 0 if session.offset else session.random.choice(CLOCK_STEPS)
    session.log(f"clock {session.offset:+d}")
    session.server.set_clock(session.offset)


def _change_clock_while_down(session: Session):
    """A clock that was wrong when the store was written, and is right at the start; or the other way about."""
    if session.random.random() < 0.6:
        set_clock(session)


# In turn, so that a short session has them all.
DISTURBANCES = [refuse_hand_over, kill, hand_over, terminate, set_clock]
