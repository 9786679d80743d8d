"""Examples that end the help of each command; the tests run them where the files are there."""

EXAMPLES = {
    "describe": (
        "widc-arff describe iris.arff",
        "widc-arff describe weather-numeric.arff --class play --format json",
    ),
    "train": (
        "widc-arff train iris.arff --model model.json",
        "widc-arff train weather-numeric.arff --class play --ignore windy --pruning pessimistic",
    ),
    "predict": (
        "widc-arff predict model.json new.arff --output predictions.csv",
        "zcat new.arff.gz | widc-arff predict model.json - > predictions.csv",
    ),
    "evaluate": (
        "widc-arff evaluate iris.arff wine.arff --repeats 2 --jobs 2",
        "widc-arff evaluate iris.arff --test new.arff --format json",
        "widc-arff evaluate model.json new.arff",
    ),
    "sizes": (
        "widc-arff sizes iris.arff --prices 1,3,10 --folds 5",
        "widc-arff sizes iris.arff --prices 1,3,10 --folds 5 --train smallest --model model.json",
    ),
    "show": (
        "widc-arff show model.json",
        "widc-arff show model.json --format markdown > committee.md",
        "widc-arff show model.json --format rules > rules.txt",
    ),
    "export": (
        "widc-arff export model.json --to python -o decide.py",
        "widc-arff export model.json --to sql --table flowers",
    ),
    "explain": (
        "widc-arff explain model.json new.arff --row 71",
        "widc-arff explain model.json new.arff --format json > reasons.jsonl",
    ),
    "report": ("widc-arff report model.json new.arff -o report.html",),
    "workbench": (
        "widc-arff workbench model.json iris.arff --test new.arff -o workbench.html",
        "widc-arff workbench model.json iris.arff --rows 100 --columns used -o workbench.html",
    ),
    "edit": (
        "widc-arff edit model.json new.arff --remove 2 --round 2 -o edited.json",
        "widc-arff edit model.json --rules rules.txt -o edited.json",
    ),
    "update": (
        "widc-arff update model.json new.arff -o updated.json",
        "widc-arff update model.json new.arff iris.arff --weight-old 0.5 -o updated.json",
    ),
    "diff": (
        "widc-arff diff old.json new.json",
        "widc-arff diff old.json new.json new.arff --format html > differences.html",
    ),
    "card": (
        "widc-arff card model.json > card.md",
        "widc-arff card model.json new.arff --format html > card.html",
    ),
    "compare": (
        'widc-arff compare iris.arff wine.arff --against J48 --against "IBk -K 5" -o results',
    ),
    "convert": (
        "widc-arff convert iris.arff iris.csv",
        "widc-arff convert iris.csv again.arff --target class --quiet",
    ),
    "weka-package": ("widc-arff weka-package -o package",),
    "completion": (
        'eval "$(widc-arff completion bash)"',
        "widc-arff completion fish > ~/.config/fish/completions/widc-arff.fish",
    ),
    "sample-data": ("widc-arff sample-data widc-samples",),
    "tutorial": ("widc-arff tutorial", "widc-arff tutorial > tutorial.md"),
    "reference": ("widc-arff reference > reference.md",),
}
