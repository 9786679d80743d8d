"""The sample data sets as files: those of ``arff_data/``, which an installed package carries."""

from __future__ import annotations

from pathlib import Path

from widc_arff.errors import WidcError
from widc_arff.system.files import written_whole


def write_sample_files(folder: str) -> list[Path]:
    """Write the sample data sets into a folder.

    Parameters
    ----------
    folder : str
        Created if it does not exist.

    Returns
    -------
    list of Path
        The files, sorted by name.

    Raises
    ------
    WidcError
        If a file of the same name but with other content exists; nothing is written then.
    OSError
        If the files cannot be written.
    """
    contents = {path.name: path.read_bytes() for path in sorted(_source().glob("*.arff"))}
    target = Path(folder)
    for name, content in contents.items():
        place = target / name
        if place.exists() and place.read_bytes() != content:
            raise WidcError(
                f"{place}: expected no file, or the sample data set, got a file with other content"
            )
    target.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        with written_whole(target / name) as stream:
            stream.write(content)
    return [target / name for name in contents]


def _source() -> Path:
    """Return the folder of the files: in an installed package, or in a clone."""
    package = Path(__file__).parents[1]
    carried = package / "sample_files"
    return carried if carried.is_dir() else package.parent / "arff_data"
