"""The ledger: it holds all files of its folders, says what moved, and is up to date."""

from __future__ import annotations

from tests.ledger import OWN, STORED, WAYS, differences, items, main, read_ledger


def test_the_ledger_holds_each_way_to_learn_from_each_file():
    assert list(read_ledger(STORED)) == sorted(item.name for item in items(OWN, "*", 1e9))
    n_files = sum(len(list(folder.glob("*.arff"))) for folder in OWN)
    assert len(read_ledger(STORED)) == (len(WAYS) + 1) * n_files


def test_what_the_commands_give_is_what_the_ledger_says(capsys):
    """One small file; ``python -m tests.ledger`` compares them all."""
    assert main(["--only", "*/weather-numeric.arff *", "--jobs", "1"]) == 0
    assert capsys.readouterr().out.endswith(" outputs, 0 changed\n")


def test_what_changed_is_named_by_file_way_and_command(tmp_path, capsys):
    ledger = tmp_path / "ledger.tsv"
    stored = STORED.read_text("utf-8").splitlines(keepends=True)
    changed = read_ledger(STORED)["arff_data/monk1-124.arff data"]["describe DATA --format json"]
    ledger.write_text("".join(stored).replace(changed, "00000000"), encoding="utf-8")
    given = ["--only", "*/monk1-124.arff data", "--jobs", "1", "--file", str(ledger)]
    assert main(given) == 1
    assert capsys.readouterr().out == (
        "arff_data/monk1-124.arff data: describe DATA --format json\n5 outputs, 1 changed\n"
    )
    assert main([*given, "--update"]) == 0
    assert ledger.read_text("utf-8") == "".join(stored)


def test_an_output_that_is_new_is_a_change():
    old = {"f.arff refined": {"train": "1"}}
    new = {"f.arff refined": {"train": "1", "show": "2"}, "f.arff none": {"train": "1"}}
    assert differences(old, new) == ["f.arff none: new", "f.arff refined: show"]
    assert differences(new, old) == []
