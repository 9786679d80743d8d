"""The Java class of the classifier's options, written from the table of options.

The kind of an option decides its property: how it is declared, set, shown and sent to the worker.
What takes more than a line of Java is in ``OptionKinds.java`` and the classes beside it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from widc_arff.option_kinds import (
    Bits,
    Choice,
    ClassFactors,
    Costs,
    Coverage,
    CutPoints,
    Directions,
    Kind,
    Names,
    Permission,
    Rules,
    Texts,
    Whole,
)
from widc_arff.options import Options, Setting, needs_in_words, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Program(Kind):
    """The path of a program."""

    metavar = "PATH"


class Seconds(Whole):
    """A time limit."""

    metavar = "SECONDS"


OF_CLASSIFIER = {
    "layout": Setting(
        "auto",
        Choice(("auto", "class", "rule")),
        "How the rules are printed: class by class, as with auto, or rule by rule. The model is "
        "the same.",
    ),
    "python": Setting(
        "",
        Program(),
        "The Python interpreter that trains. By default it is the one that the system property "
        "widc.python or the environment variable WIDC_PYTHON names, or else python3 or python on "
        "the path.",
        unset="look for one",
    ),
    "timeout": Setting(0, Seconds(0), "Time limit of a training in seconds; 0 for no limit."),
}
"""Options of the classifier alone: how rules are printed, and how the Python process is run."""

INDUCTION = {n: setting for n, setting in settings_of(Options).items() if not setting.library_only}
"""The options of the induction that the classifier has."""


class Property(NamedTuple):
    """The Java of a property; ``{name}`` is its field, ``{Name}`` as in accessors, ``{flag}``.

    Parameters
    ----------
    field : str
        Type and name of the field.
    start : str
        Its value at first.
    read : str
        What `setOptions` calls.
    shown : str
        What `getOptions` calls.
    sent : str
        What the worker gets; null for nothing.
    accessors : str
        The methods of the property, without its tip.
    tip : str
        What to add to the description.
    help : str
        What to add to the description in the list of options.
    """

    field: str
    start: str
    read: str
    shown: str
    sent: str
    accessors: str
    tip: str = ""
    help: str = ""


def _accessors(type_: str, shown: str, taken: str) -> str:
    """Return getter and setter: what one returns, and what the other does with ``value``."""
    throws = " throws Exception" if "splitOptions" in taken else ""
    return f"""
    public {type_} get{{Name}}() {{{{
        return {shown};
    }}}}

    public void set{{Name}}({type_} value){throws} {{{{
        {taken}
    }}}}
"""


def _choice(setting: Setting) -> Property:
    default = json.dumps(setting.default)
    return Property(
        "String {name}",
        default,
        f'set{{Name}}(words.tag("{{flag}}", TAGS_{{NAME}}, {default}));',
        f'add(options, "-{{flag}}", {{name}}, {"null" if setting.always_stored else default});',
        "{name}",
        _accessors(
            "SelectedTag",
            "new SelectedTag({name}, TAGS_{NAME})",
            "{name} = new SelectedTag(value.getSelectedTag().getReadable(), TAGS_{NAME})\n"
            "            .getSelectedTag().getReadable();",
        ),
        help=f"One of {', '.join(setting.kind.values)}.",  # type: ignore[attr-defined]
    )


def _bits(setting: Setting) -> Property:
    start = -1.0 if setting.default is None else setting.default
    unset = json.dumps(setting.unset) if setting.unset else "null"
    return Property(
        "double {name}",
        str(start),
        f'set{{Name}}(words.bits("{{flag}}", {start}));',
        f'add(options, "-{{flag}}", {{name}}, {start});',
        "{name} < 0 ? null : {name}",
        _accessors("double", "{name}", f'{{name}} = OptionKinds.bits("{{flag}}", value, {unset});'),
        f"-1 for {setting.unset}." if setting.unset else "",
    )


def _whole(setting: Setting) -> Property:
    start = -1 if setting.default is None else setting.default
    least = setting.kind.least  # type: ignore[attr-defined]
    unset = json.dumps(setting.unset) if setting.unset else "null"
    checked = f'OptionKinds.whole("{{flag}}", value, {least}, {unset})'
    return Property(
        "int {name}",
        str(start),
        f'set{{Name}}(words.whole("{{flag}}", {start}));',
        f'add(options, "-{{flag}}", {{name}}, {start});',
        "{name} < 0 ? null : {name}",
        _accessors("int", "{name}", f"{{name}} = {checked};"),
        f"-1 for {setting.unset}." if setting.unset else "",
    )


def _permission(_: Setting) -> Property:
    return Property(
        "boolean {name}",
        "false",
        'set{Name}(words.flag("{flag}"));',
        'options.addAll({name} ? Arrays.asList("-{flag}") : Collections.emptyList());',
        "!{name}",
        _accessors("boolean", "{name}", "{name} = value;"),
    )


def _text(checked: str, sent: str, setting: Setting) -> Property:
    return Property(
        "String {name}",
        '""',
        'set{Name}(words.text("{flag}", ""));',
        'add(options, "-{flag}", {name}, "");',
        sent,
        _accessors("String", "{name}", f"{{name}} = {checked};"),
        f"Empty: {setting.unset}." if setting.unset else "",
    )


def _coverage(setting: Setting) -> Property:
    checked, sent = 'OptionKinds.coverage("{flag}", value)', "OptionKinds.coverageOf({name})"
    return _text(checked, sent, setting)


def _names(setting: Setting) -> Property:
    values = json.dumps(setting.kind.values)[1:-1]  # type: ignore[attr-defined]
    checked = f'OptionKinds.names("{{flag}}", value, {values})'
    return _text(checked, "OptionKinds.namesIn({name})", setting)


def _program(setting: Setting) -> Property:
    return _text("value.trim()", "{name}", setting)._replace(tip="")


def _repeated(checked: str, sent: str) -> Property:
    read = checked.format(words='words.texts("{flag}")')
    taken = checked.format(words="Utils.splitOptions(value)")
    return Property(
        "String[] {name}",
        "{{}}",
        f"{{name}} = {read};",
        'addAll(options, "-{flag}", {name});',
        sent,
        _accessors(
            "String",
            "Utils.joinOptions({name})",
            f"{{name}} = {taken};",
        ),
        "Several with blanks between.",
        "May be repeated.",
    )


def _texts(_: Setting) -> Property:
    return _repeated("{words}", "Arrays.asList({name})")


def _directions(_: Setting) -> Property:
    return _repeated("Directions.checked({words})", "Arrays.asList({name})")


def _class_factors(_: Setting) -> Property:
    return _repeated("Weights.checked({words})", "Weights.of({name})")


def _costs(_: Setting) -> Property:
    return Property(
        "CostMatrix {name}",
        "Costs.none()",
        'set{Name}(Costs.ofWord(words.text("{flag}", "")));',
        'add(options, "-{flag}", Costs.word({name}), "");',
        "Costs.isNone({name}) ? null : Costs.rows({name})",
        _accessors("CostMatrix", "{name}", "{name} = Costs.checked(value);"),
        "Of one class: no costs.",
        "A file in Weka's format, or a matrix such as [0 1; 5 0].",
    )


def _file(_: Setting) -> Property:
    return Property(
        "File {name}",
        "null",
        '{name} = OptionFile.named("{flag}", words.text("{flag}", ""));',
        'add(options, "-{flag}", {name} == null ? "" : {name}.getPath(), "");',
        "null",
        _accessors(
            "File", "OptionFile.shown({name})", '{name} = OptionFile.checked("{flag}", value);'
        ),
        "One rule per line: if NAME <= 1 and NAME = VALUE then LABEL. Or a model file; choose a "
        "folder for no file.",
    )


def _cut_points(setting: Setting) -> Property:
    """Return a text for the method, and beside it a file in place of it."""
    default = json.dumps(setting.default)
    method = _accessors("String", "{name}", '{name} = OptionKinds.method("{flag}", value);')
    file = _accessors(
        "File",
        "OptionFile.shown({name}File)",
        '{name}File = OptionFile.checked("{flag}", value);',
    ).replace("et{Name}(", "et{Name}File(")
    about_file = (
        "A JSON file with the cut points of attributes, in place of {name}. It holds "
        "{{attribute: [cut, ...]}}; choose a folder for no file."
    )
    return Property(
        "File {name}File;\n    private String {name}",
        default,
        f'String {{name}}Word = words.text("{{flag}}", {default});\n'
        "        {name}File = OptionKinds.fileOfCutPoints({name}Word);\n"
        f"        set{{Name}}({{name}}File == null ? {{name}}Word : {default});",
        'add(options, "-{flag}", {name}File == null ? {name} : {name}File.getPath(), null);',
        "{name}File == null ? {name} : null",
        f"{method}\n    public String {{name}}FileTipText() {{{{\n"
        f'        return "{about_file}";\n    }}}}\n{file}',
        "mdl+, mdl, all, quantile:K or width:K.",
        "Or a file of JSON: {{attribute: [cut, ...]}}.",
    )


PROPERTIES = {
    Choice: _choice,
    Bits: _bits,
    Whole: _whole,
    Permission: _permission,
    Coverage: _coverage,
    Names: _names,
    Texts: _texts,
    Directions: _directions,
    ClassFactors: _class_factors,
    Costs: _costs,
    CutPoints: _cut_points,
    Rules: _file,
    Program: _program,
    Seconds: _whole,
}


def source() -> str:
    """Return ``TrainingOptions.java``."""
    settings = {**INDUCTION, **OF_CLASSIFIER}
    java = {name: PROPERTIES[type(setting.kind)](setting) for name, setting in settings.items()}
    names = {name: _names_of(name, setting) for name, setting in settings.items()}

    def of(attribute: str, name: str) -> str:
        return str(getattr(java[name], attribute)).format(**names[name])

    def lines(indented: int, line: Callable[[str], str], of_which: Iterable[str]) -> str:
        return "".join(f"{' ' * indented}{text}\n" for text in map(line, of_which) if text)

    def if_used(name: str) -> str:
        return _if_used(settings[name], names)

    def sent(name: str) -> str:
        return f"{if_used(name)}options.put({json.dumps(name)}, {of('sent', name)});"

    def read(name: str) -> str:
        return _required(settings[name], names[name], names) + of("read", name)

    parts = {
        "flags": ", ".join(f"-{names[name]['flag']}" for name in settings),
        "tags": lines(4, lambda name: _tags(settings[name], names[name]), settings),
        "fields": lines(4, lambda n: f"private {of('field', n)} = {of('start', n)};", settings),
        "sent": lines(8, sent, INDUCTION),
        "files": lines(8, lambda n: _file_put(n, of("field", n), names[n]), INDUCTION),
        "listed": lines(8, lambda n: _listed(java[n], settings[n], names[n]), settings),
        "read": lines(8, read, settings),
        "shown": lines(8, lambda n: if_used(n) + of("shown", n), settings),
        "properties": "".join(
            _tip(java[n], settings[n], names[n]) + of("accessors", n) for n in settings
        ),
    }
    text = TEMPLATE
    for name, content in parts.items():
        text = text.replace(f"@{name}@", content.rstrip("\n"))
    return text


def _tags(setting: Setting, own: dict[str, str]) -> str:
    """Return the values of a choice, as Weka's dialogs have them."""
    if not isinstance(setting.kind, Choice):
        return ""
    values = json.dumps(setting.kind.values)[1:-1]
    return (
        f"/** Values of {own['flag']}. */\n"
        f"    public static final Tag[] TAGS_{own['NAME']} = OptionWords.tags({values});"
    )


def _file_put(name: str, fields: str, own: dict[str, str]) -> str:
    """Return the call that sends a file, if the first field of an option is one."""
    if not fields.startswith("File "):
        return ""
    field = fields.partition(";")[0].removeprefix("File ")
    return f'OptionFile.put(files, "{name}", "{own["flag"]}", {field});'


def _names_of(name: str, setting: Setting) -> dict[str, str]:
    """Return the forms of a name in Java."""
    name = f"no_{name}" if isinstance(setting.kind, Permission) else name
    camel = name[0] + name.title().replace("_", "")[1:]
    return {
        "name": camel,
        "Name": camel[0].upper() + camel[1:],
        "NAME": name.upper(),
        "flag": name.replace("_", "-"),
    }


def _if_used(setting: Setting, names: dict[str, dict[str, str]]) -> str:
    """Return the condition on which an option has an effect."""
    used = (
        f"OptionKinds.isIn({names[other]['name']}, {json.dumps(values)[1:-1]})"
        for other, values in setting.needs.items()
    )
    condition = " && ".join(used)
    return f"if ({condition}) " if condition else ""


def _required(setting: Setting, own: dict[str, str], names: dict[str, dict[str, str]]) -> str:
    """Return the calls that refuse an option without those that it needs; these come before it."""
    return "".join(
        f'words.require("{own["flag"]}", "{names[other]["flag"]}", {names[other]["name"]}, '
        f"{json.dumps(values)[1:-1]});\n        "
        for other, values in setting.needs.items()
    )


def _listed(java: Property, setting: Setting, own: dict[str, str]) -> str:
    tip = f"{own['name']}TipText()"
    if isinstance(setting.kind, Permission):
        return f'options.add(new Option(described({tip}), "{own["flag"]}", 0, "-{own["flag"]}"));'
    metavar = {Choice: "NAME", Costs: "FILE|MATRIX", CutPoints: "METHOD|FILE"}.get(
        type(setting.kind), setting.kind.metavar
    )
    more = f' + " {java.help.format(**own)}"' if java.help else ""
    default = setting.unset or setting.default or "none"
    default = setting.default if isinstance(setting.default, int | float) else default
    return (
        f'options.add(option("{own["flag"]}", "{metavar}", {tip}{more}, '
        f"{json.dumps(f'default {default}')}));"
    )


def _tip(java: Property, setting: Setting, own: dict[str, str]) -> str:
    about = setting.kind.forbidding if isinstance(setting.kind, Permission) else setting.help
    text = " ".join(filter(None, (about, java.tip, needs_in_words(setting))))
    return f"""
    public String {own["name"]}TipText() {{
        return {json.dumps(text)};
    }}
"""


TEMPLATE = """\
package weka.classifiers.rules.widc;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.CostMatrix;
import weka.core.Option;
import weka.core.SelectedTag;
import weka.core.Tag;
import weka.core.Utils;
import weka.core.WekaException;

/**
 * The options of the classifier: those of the command line {@code widc-arff train} under the same
 * names, and where the Python is that trains. Written by weka_plugin/java_options.py.
 *
 * <p>Each is checked when it is set, as far as it can be without the data. Options that may be
 * repeated are one text in the dialog, in which words with blanks stand in quotes.
 */
public abstract class TrainingOptions extends AbstractClassifier {

    private static final long serialVersionUID = -2290816571342850417L;

    private static final String DECIMAL_PLACES = "num-decimal-places";

@tags@

@fields@

    /** Returns the options of the induction as the worker takes them, without those of files. */
    protected Map<String, Object> induction() {
        Map<String, Object> options = new LinkedHashMap<>();
@sent@
        options.values().removeAll(Collections.singleton(null));
        return options;
    }

    /**
     * Returns name and text of the files that options of the induction name.
     *
     * @throws WekaException if one cannot be read
     */
    protected Map<String, Object> files() throws WekaException {
        Map<String, Object> files = new LinkedHashMap<>();
@files@
        return files;
    }

    /** Returns how the worker prints the rules, null where it chooses. */
    protected String chosenLayout() {
        return layout.equals("auto") ? null : layout;
    }

    /** Returns the option of Weka that sets an option of the worker. */
    static String flag(String option) {
        return "-" + option.replace('_', '-');
    }

    @Override
    public Enumeration<Option> listOptions() {
        Vector<Option> options = new Vector<>();
@listed@
        for (Option inherited : Collections.list(super.listOptions())) {
            options.add(inherited.name().equals(DECIMAL_PLACES)
                ? new Option(described(numDecimalPlacesTipText()), DECIMAL_PLACES, 1,
                    inherited.synopsis()) : inherited);
        }
        return options.elements();
    }

    private static Option option(String name, String value, String description, String byDefault) {
        return new Option(described(description) + "\\n\\t(" + byDefault + ")", name, 1,
            "-" + name + " <" + value + ">");
    }

    private static String described(String description) {
        return "\\t" + Lines.wrapped(description).replace("\\n", "\\n\\t");
    }

    /** Returns a description for the help. */
    @Override
    public String numDecimalPlacesTipText() {
        return "Has no effect: numbers in rules are printed with all the digits that they need.";
    }

    /**
     * Sets the options; those that are absent get their defaults.
     *
     * <!-- options-start -->
     * Valid options are: @flags@ and those of every classifier.
     * <!-- options-end -->
     */
    @Override
    public void setOptions(String[] options) throws Exception {
        OptionWords words = new OptionWords(options);
@read@
        super.setOptions(options);
        Utils.checkForRemainingOptions(options);
    }

    @Override
    public String[] getOptions() {
        List<String> options = new ArrayList<>();
@shown@
        options.addAll(Arrays.asList(super.getOptions()));
        return options.toArray(new String[0]);
    }

    private static void add(List<String> options, String name, Object value, Object byDefault) {
        if (!value.equals(byDefault)) {
            options.add(name);
            options.add(value.toString());
        }
    }

    private static void addAll(List<String> options, String name, String[] values) {
        for (String value : values) {
            add(options, name, value, "");
        }
    }
@properties@
}
"""
