"""``widc-arff sample-data``."""

from __future__ import annotations

from pathlib import Path

SAMPLES = sorted((Path(__file__).parents[2] / "arff_data").glob("*.arff"))


def test_the_files_are_those_of_the_repository_and_may_be_written_again(run, tmp_path):
    folder = tmp_path / "a" / "b"
    for _ in range(2):
        status, out, err = run("sample-data", str(folder))
        assert (status, err) == (0, "")
        assert out.splitlines() == [str(folder / path.name) for path in SAMPLES]
        for path in SAMPLES:
            assert (folder / path.name).read_bytes() == path.read_bytes()


def test_a_file_of_somebody_else_is_kept_and_nothing_is_written(run, tmp_path):
    mine = tmp_path / "wine.arff"
    mine.write_text("mine", encoding="utf-8")
    status, out, err = run("sample-data", str(tmp_path))
    assert (status, out) == (1, "")
    assert err.startswith(f"widc-arff: {mine}: expected no file, or the sample data set, got")
    assert list(tmp_path.iterdir()) == [mine]


def test_a_file_in_the_place_of_the_folder_is_an_error(run, tmp_path):
    place = tmp_path / "file"
    place.write_text("", encoding="utf-8")
    assert run("sample-data", str(place))[0] == 1
    assert place.read_text(encoding="utf-8") == ""
