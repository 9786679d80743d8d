"""The page inside of a notebook: a frame that the notebook cannot be reached from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from widc_arff.reports.elements import element
from widc_arff.system.files import text_written_whole

if TYPE_CHECKING:
    import os

_SANDBOX = "allow-scripts allow-downloads"


@dataclass(frozen=True, slots=True)
class WorkbenchFrame:
    """A page of the workbench, which a notebook shows in a frame.

    Parameters
    ----------
    html : str
        The page.
    height : int
        Of the frame, in pixels.
    """

    html: str
    height: int = 900

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, whole or not at all.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        with text_written_whole(path) as stream:
            stream.write(self.html)

    def __repr__(self) -> str:
        """Return how large the page is."""
        size = len(self.html.encode()) / 1000
        return f"<WorkbenchFrame of {size:.0f} kB; save(path) writes the page>"

    def _repr_html_(self) -> str:
        return element(
            "iframe",
            srcdoc=self.html,
            sandbox=_SANDBOX,
            title="Workbench",
            style=f"width: 100%; height: {self.height}px; border: 0",
        )
