"""The documents are true: links lead somewhere, code runs, commands print what is shown.

What is printed, the reference and the numbers of the search stand in the documents as they are;
``--update-golden`` writes them anew.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import pytest

import weka_plugin
import widc_arff
from tests.browser import measured
from tests.readme_picture import drawn, points_of
from tests.reproduction.command import command as reproduction
from tests.search_numbers import table_of_numbers
from tests.test_api import PUBLIC
from tests.test_rooms import FLOOR
from widc_arff.cli import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Documented = Callable[[Path, str], None]

ROOT = Path(__file__).parents[1]
README, CONTRIBUTING, CHANGELOG = (
    ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")
)
REFERENCE, TUTORIAL = (ROOT / "widc_arff" / f"{name}.md" for name in ("reference", "tutorial"))
PAGES = sorted((ROOT / "docs").glob("*.md"))
ALGORITHM, RESULTS, GLOSSARY = (
    ROOT / "docs" / f"{name}.md" for name in ("algorithm", "results", "glossary")
)
DOCUMENTS = [
    *(README, CONTRIBUTING, CHANGELOG, REFERENCE, TUTORIAL),
    ROOT / "arff_data" / "README.md",
    *PAGES,
]
CONSOLE = re.compile(r"^```console\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^```([^\n]*)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
INCLUDED = re.compile(r"^```\{include\} (\S+)\n.*?^```\n", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
REPOSITORY = re.compile(
    r"https://(?:github\.com|raw\.githubusercontent\.com)/widc-arff/widc-arff/(?:blob/)?main/"
)
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
OTHERS_OPTIONS = {  # of pytest, of the benchmarks, of the fuzzer, of Java
    *("--cov", "--dist", "--update-golden"),
    *("--compare", "--files", "--weka", "--learners", "--report", "--replay"),
    "--add-opens",
}


def name_of(document: Path) -> str:
    return str(document.relative_to(ROOT))


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def blocks_of(document: Path, language: str) -> list[str]:
    return [block for said, block in FENCED.findall(text_of(document)) if said == language]


def prose_of(document: Path) -> str:
    """Return a document without its blocks of code."""
    return FENCED.sub("\n", text_of(document))


def spans_of(document: Path) -> list[str]:
    """Return what a document writes as code within its prose, options of tables apart."""
    return [span.replace("\\|", "|") for span in SPAN.findall(prose_of(document))]


def everywhere(documents: list[Path] = DOCUMENTS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("document", documents, ids=name_of)


@pytest.fixture
def documented(request: pytest.FixtureRequest) -> Documented:
    """Compare a text with a document, which only --update-golden writes."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert text == text_of(path)

    return compare


# Links and names.


def headings_of(document: Path) -> list[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    text = INCLUDED.sub(lambda match: text_of(document.parent / match[1]), text_of(document))
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("\n", text), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in headings]
    repeats = [plain[:k].count(anchor) for k, anchor in enumerate(plain)]
    return [f"{anchor}-{n}" if n else anchor for anchor, n in zip(plain, repeats, strict=True)]


@everywhere()
def test_links_lead_somewhere(document):
    for target in LINK.findall(SPAN.sub("", prose_of(document))):
        inside, is_inside = REPOSITORY.subn("", target)
        if not is_inside and target.startswith(("https://", "http://")):
            continue
        path, _, anchor = inside.partition("#")
        folder = ROOT if is_inside else document.parent
        place = (folder / path).resolve() if path else document
        assert place.exists(), target
        assert place.is_relative_to(ROOT), target
        if anchor:
            assert anchor in headings_of(place), target


@everywhere()
def test_files_and_folders_that_are_named_are_there(document):
    folders = r"widc_arff|weka_plugin|tests|docs|arff_data|\.ci"
    for span in spans_of(document):
        if re.fullmatch(rf"({folders})/[\w./*-]*", span) and "NAME" not in span:
            assert list(ROOT.glob(span)), span


def commands() -> dict[str, tuple[click.Command, click.Context]]:
    """Return all commands by name, that without a name among them."""
    root = click.Context(cli, info_name="widc-arff", **cli.context_settings)
    found = {name: cli.get_command(root, name) for name in cli.list_commands(root)}
    named = {
        name: (command, click.Context(command, root, name))
        for name, command in found.items()
        if command
    }
    return {"": (cli, root), **named}


@everywhere()
def test_commands_and_options_that_are_named_are_there(document):
    written = [line for block in blocks_of(document, "sh") for line in block.splitlines()]
    for line in [*written, *spans_of(document)]:
        for name, rest in re.findall(r"widc-arff ([a-z][a-z-]*)([^|>)&]*)", line):
            command, context = commands()[name]
            command.make_parser(context).parse_args(shlex.split(rest, comments=True))
        for rest in re.findall(r"python -m tests.reproduction ([^|>)&]*)", line):
            context = click.Context(reproduction)
            reproduction.make_parser(context).parse_args(shlex.split(rest, comments=True))


@everywhere()
def test_options_in_prose_are_options_of_some_command(document):
    parameters = [
        p for command, context in commands().values() for p in command.get_params(context)
    ]
    parameters += reproduction.params
    known = {option for parameter in parameters for option in parameter.opts} | OTHERS_OPTIONS
    spans = [span for span in spans_of(document) if span.startswith("--")]
    assert {re.split("[ =,]", span)[0] for span in spans} <= known


# Code runs, commands print what is shown.


class PythonBlock(NamedTuple):
    document: Path
    code: str


def python_blocks() -> Iterator[object]:
    for document in DOCUMENTS:
        for k, code in enumerate(blocks_of(document, "python")):
            marks = [pytest.mark.needs("weka")] if "weka_plugin" in code else []
            block = PythonBlock(document, code)
            yield pytest.param(block, marks=marks, id=f"{name_of(document)}-{k}")


@pytest.mark.parametrize("block", list(python_blocks()))
def test_python_blocks_run(block, tmp_path):
    shutil.copytree(ROOT / "arff_data", tmp_path / "arff_data")
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{block.code}"
    run = subprocess.run(
        [sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert "Traceback" not in run.stderr


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with the sample data, and beside it the commands to run there."""
    folder, commands = tmp_path / "clone", tmp_path / "bin"
    shutil.copytree(ROOT / "arff_data", folder)  # the tutorial works among the files,
    shutil.copytree(ROOT / "arff_data", folder / "arff_data")  # the README in a clone
    commands.mkdir()
    for name, arguments in (("widc-arff", "-m widc_arff"), ("python3", "")):
        launcher = commands / name
        pythonpath = f'PYTHONPATH="{ROOT}" ' if arguments else ""
        launcher.write_text(f'#!/bin/sh\n{pythonpath}exec "{sys.executable}" {arguments} "$@"\n')
        launcher.chmod(0o755)
    return folder


def executed(block: str, folder: Path) -> str:
    """Run the commands of a block, and return it with what they print.

    A command may warn, or be refused, and then prints on standard error alone.  On a busy machine
    it may also say that it is still at work.
    """
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    lines = []
    for line in block.splitlines():
        if not line.startswith("$ "):
            continue
        done = subprocess.run(
            ["sh", "-c", line[2:]],
            check=False,
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        assert not done.stderr or done.stderr.startswith("widc-arff: "), line
        assert not done.returncode or (done.stderr and not done.stdout), line
        printed = (done.stdout + done.stderr).rstrip("\n").splitlines()
        lines += [line, *(text for text in printed if not text.startswith("widc-arff: still "))]
    return "\n".join(lines) + "\n"


@everywhere([document for document in DOCUMENTS if CONSOLE.search(text_of(document))])
def test_commands_print_what_is_shown(document, clone, documented):
    def fresh(match: re.Match[str]) -> str:
        return f"```console\n{executed(match[1], clone)}```\n"

    documented(document, CONSOLE.sub(fresh, text_of(document)))


PLACEHOLDERS = (
    "@relation r\n@attribute patient {a,b,c,d,e,f,g,h,i,j}\n@attribute customer numeric\n"
    "@attribute x numeric\n@attribute y numeric\n@attribute play {no,yes}\n@data\n"
)
NEED_MORE = ("--dask", "completion", "compare", "weka-package")  # their own tests run these


def shell_lines() -> list[str]:
    """Return the commands of all blocks of shell, those that need no more than files."""
    lines = [
        line.partition("#")[0].strip()
        for document in DOCUMENTS
        for block in blocks_of(document, "sh")
        for line in block.splitlines()
        if line.startswith("widc-arff ")
    ]
    return [line for line in dict.fromkeys(lines) if not any(word in line for word in NEED_MORE)]


def test_commands_of_the_blocks_run_where_the_files_are(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(
        f"{'abcdefghij'[i % 10]},{i},{i * 37 % 80},{i * 53 % 80},"
        f"{'yes' if i * 37 % 80 > 30 and i * 53 % 80 > 20 else 'no'}\n"
        for i in range(80)
    )
    for name in ("data", "new", "train", "test", "a", "b", "c"):
        (tmp_path / f"{name}.arff").write_text(PLACEHOLDERS + rows, encoding="utf-8")
    (tmp_path / "FILE.cost").write_text("2 2\n0 1\n5 0\n", encoding="utf-8")
    assert run("convert", "data.arff", "data.csv")[0] == 0
    for model in ("old.json", "new.json"):
        assert run("train", "data.arff", "--model", model)[0] == 0
    lines = shell_lines()
    assert len(lines) > 15
    for line in lines:
        status, _, err = run(*shlex.split(line)[1:])
        assert status == 0, (line, err)


OLD_WORDS = re.compile(
    r"\b(?:on the mean|at hand|made data|the other: 0|each other class|changes its ways"
    r"|a text of its own|decided otherwise|for want of|to the byte|less its|goes on|so long as"
    r"|in any letters|otherwise than|take it back|is no (?:label|letter|character|number)"
    r"|a (?:committee|tree) a label|tell|tells|telling|told|anew|beside|worth a look|decimal sign"
    r"|now and then|letter by letter|something else than|one at least|so many at a time)\b",
    re.IGNORECASE,
)
"""What an editor would replace: report, show, list, compared with, again, on average, if."""

LITERAL = re.compile(r"(?<![-\w])literals?\b", re.IGNORECASE)
"""Readers know it as a condition; the paper's word stands where the two are set side by side."""


def words_of(document: Path) -> str:
    """Return the prose of a document without code and without the targets of links."""
    return re.sub(r"\]\([^)]*\)", "]", SPAN.sub("", prose_of(document)))


def texts_of_messages() -> Iterator[tuple[str, str]]:
    """Yield the texts of several words in the package, docstrings apart, with their places."""
    for folder in ("widc_arff", "weka_plugin", "tests/reproduction"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            apart = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
            for node in ast.walk(tree):
                if not isinstance(node, ast.Constant) or id(node) in apart:
                    continue
                if isinstance(node.value, str) and len(node.value.split()) > 1:
                    yield f"{name_of(path)}:{node.lineno}", node.value


@everywhere([document for document in DOCUMENTS if document != CHANGELOG])
def test_documents_are_free_of_words_that_make_readers_stop(document):
    assert OLD_WORDS.findall(words_of(document)) == []


@everywhere([d for d in DOCUMENTS if d not in {CHANGELOG, CONTRIBUTING, ALGORITHM, GLOSSARY}])
def test_documents_say_condition(document):
    assert LITERAL.findall(words_of(document)) == []


def test_help_is_free_of_words_that_make_readers_stop():
    for command, context in commands().values():
        text = command.get_help(context)
        assert OLD_WORDS.findall(text) == []
        assert LITERAL.findall(re.sub(r"--\S+", "", text)) == []


def test_messages_are_free_of_words_that_make_readers_stop():
    texts = list(texts_of_messages())
    assert len(texts) > 1000
    found = [(place, text) for place, text in texts if OLD_WORDS.search(text)]
    found += [(place, text) for place, text in texts if LITERAL.search(text)]
    assert found == []


def texts_of_public_docstrings() -> Iterator[tuple[str, str]]:
    """Yield the docstrings of the public names and of their public members."""
    names = [(widc_arff, name) for name in PUBLIC]
    names += [(weka_plugin, name) for name in weka_plugin.__all__]
    for package, name in names:
        public = getattr(package, name)
        yield name, public.__doc__ or ""
        for member, value in vars(public).items() if isinstance(public, type) else ():
            if not member.startswith("_"):
                yield f"{name}.{member}", getattr(value, "__doc__", "") or ""


def test_public_docstrings_are_free_of_words_that_make_readers_stop():
    texts = list(texts_of_public_docstrings())
    assert len(texts) > 150
    assert [(place, text) for place, text in texts if OLD_WORDS.search(text)] == []


# The README.


def test_the_readme_can_be_read_in_five_minutes():
    assert len(text_of(README).splitlines()) <= 200
    assert len(prose_of(README).split()) < 1100


def test_the_readme_has_two_commands_that_set_up_and_ci_runs_the_second():
    blocks = [block for _, block in FENCED.findall(text_of(README))]
    run, test = [block for block in blocks if "install" in block]
    assert "widc-arff train" in run
    between = re.search(
        r"<!-- test command -->\n```\w*\n(.*)```\n<!-- end -->", text_of(README), re.DOTALL
    )
    assert between is not None
    assert between[1] == test
    assert run in text_of(ROOT / "docs" / "index.md")


def table_after(text: str, beginning: str) -> str:
    return text[text.index(beginning) :].split("\n\n", 1)[0]


def test_the_picture_of_the_readme_is_that_of_its_table(documented):
    text = text_of(README)
    header = "| learner | error % | conditions |"
    assert table_after(text, header) == table_after(text_of(RESULTS), header)
    points = points_of(text)
    assert len(points) == 7
    documented(ROOT / "docs" / "images" / "error-and-size.svg", drawn(points))


# The tutorial and the reference, which the package prints.


def test_the_reference_is_what_the_commands_say(run, documented):
    status, out, err = run("reference")
    assert (status, err) == (0, "")
    documented(REFERENCE, out)


def test_the_reference_has_all_commands_and_options(run):
    text = run("reference")[1]
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        section = text[text.index(f"\n## {name}\n") :]
        section = section[: section.find("\n## ", 1)]
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in (section if parameter.name != "quiet" else text)
                assert parameter.help, parameter.opts
            assert (parameter.metavar or "") in section.replace("\\|", "|")


def test_the_tutorial_is_printed(run):
    assert run("tutorial") == (0, text_of(TUTORIAL), "")


def test_the_tutorial_is_short():
    assert len(CONSOLE.findall(text_of(TUTORIAL))) >= 8
    assert len(prose_of(TUTORIAL).split()) < 600


# Pages that tell what the code is.


def rows_after(document: Path, mark: str) -> list[list[str]]:
    """Return the cells of the first table after a mark, without its header."""
    text = text_of(document)
    lines = table_after(text[text.index(mark) :], "\n| ").strip().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def defined_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@pytest.mark.parametrize(
    "row", rows_after(ALGORITHM, "<!-- names"), ids=lambda row: f"{row[0]}: {row[1]}"
)
def test_what_computes_a_section_of_the_paper_is_where_it_is_said_to_be(row):
    files, names = (SPAN.findall(cell) for cell in row[2:])
    assert files
    defined = set().union(*(defined_in(ROOT / file) for file in files))
    assert set(names) <= defined
    for file in files:
        assert defined_in(ROOT / file) & set(names), file


def test_there_are_thirteen_interpretations_in_order():
    numbers = re.findall(r"^- \*\*I(\d+)\*\*", text_of(ALGORITHM), re.MULTILINE)
    assert list(map(int, numbers)) == list(range(1, 14))


def test_the_numbers_of_the_search_are_those_of_the_code(documented):
    before, _, rest = text_of(ALGORITHM).partition("<!-- budget -->\n")
    _, _, after = rest.partition("<!-- end -->\n")
    documented(ALGORITHM, f"{before}<!-- budget -->\n{table_of_numbers()}<!-- end -->\n{after}")


def test_the_plan_of_the_house_has_all_packages_from_the_bottom_upward():
    rows = rows_after(CONTRIBUTING, "<!-- rooms -->")
    named = [SPAN.findall(cell)[0] for cell, _ in rows]
    package = ROOT / "widc_arff"
    there = {path.parent.relative_to(package) for path in package.glob("**/*/__init__.py")}
    assert set(named) == {f"widc_arff/{path}/" for path in there}
    floors = [
        FLOOR[name.removeprefix("widc_arff/").rstrip("/").replace("/", ".")] for name in named
    ]
    assert floors == sorted(floors)


def test_the_api_has_all_public_names():
    pattern = r"^\.\. auto(?:function|class|exception):: (\w+)$"
    names = re.findall(pattern, text_of(ROOT / "docs" / "api.md"), re.MULTILINE)
    assert sorted(names) == sorted([*widc_arff.__all__, "WIDCClassifier", "refitted", "updated"])


# The site.


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(tmp_path_factory.mktemp("site"))
    arguments = ["-q", "-W", "--keep-going", "-d", str(folder / "cache")]
    command = [sys.executable, "-m", "sphinx", *arguments, str(ROOT / "docs"), str(folder / "html")]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "html"


@pytest.mark.needs("sphinx")
def test_the_site_has_all_pages_and_needs_no_network(site):
    for page in PAGES:
        text = (site / f"{page.stem}.html").read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|img|link)[^>]+(?:src|href)="(?:https?:)?//', text)
        assert "<h1>" in text
    assert (site / "searchindex.js").is_file()
    assert 'id="many-classes"' in (site / "tutorial.html").read_text(encoding="utf-8")


@pytest.mark.needs("sphinx")
@pytest.mark.needs("chromium")
@pytest.mark.parametrize("page", ["index", "algorithm", "results", "api"])
def test_pages_of_the_site_are_as_wide_as_the_window(site, page):
    for found in measured(site / f"{page}.html", 390, 1200):
        assert found["page"] <= found["room"]
