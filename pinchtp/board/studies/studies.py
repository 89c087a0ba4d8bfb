"""All that engines study in a room."""

from __future__ import annotations

from pinchtp.board.engines.host import Host
from pinchtp.board.studies.analysis import LiveAnalysis
from pinchtp.board.studies.evaluation import Evaluations
from pinchtp.board.studies.questions import Questions
from pinchtp.board.studies.review import Reviewer
from pinchtp.board.studies.tasks import Tasks
from pinchtp.board.studies.teaching import Teacher

UNTOLD = ("teach", "console")  # tasks that the page does not show


class Studies:
    """The studies of a room, by subject, and what concerns them all."""

    def __init__(self, room: Host) -> None:
        self._tasks = Tasks(room)
        evaluations = Evaluations(room)
        self.analysis = LiveAnalysis(room, self._tasks, evaluations)
        self.questions = Questions(room, self._tasks)
        self.reviewer = Reviewer(room, self._tasks, evaluations)
        self.teacher = Teacher(room, self._tasks, evaluations)

    def running(self) -> list[str]:
        """What runs now, by the names of the page."""
        return [name for name in self._tasks.running() if name not in UNTOLD]

    def leave(self) -> None:
        """Another position will be shown."""
        self.teacher.end()
        self.questions.drop()

    def follow(self) -> None:
        """Another position is shown."""
        self.analysis.follow()
        self.teacher.prepare()

    def stop(self, name: str) -> None:
        """Ends a task, by its name of the page."""
        self._tasks.stop(name)

    def stop_all(self) -> None:
        """Nobody looks any more."""
        self.teacher.end()
        self._tasks.stop_all()
