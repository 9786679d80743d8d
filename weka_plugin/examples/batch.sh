#!/bin/sh
# Learns from every ARFF file of a folder, and compares with classifiers of Weka.
#
#     sh batch.sh FOLDER OUT [OPTION ...]
#
# Options are those that train, evaluate and compare have in common, such as --class NAME,
# --pruning pessimistic or --costs FILE.  OUT gets, for each file, the committee (NAME.json, and in
# words NAME.txt), its evaluation (NAME.evaluation.json) and what was said of it (NAME.log), and the
# comparison over all files that could be learned from (tables.txt, results.arff, experiment.exp).
#
# Environment: WIDC, the program (widc-arff); FOLDS and RUNS of the cross-validation (10 and 1);
# JOBS at a time (1); AGAINST, a classifier of Weka with its options (J48).
#
# Exit status, for a build server:
#     0  every file was learned from, evaluated and compared
#     1  a file could not be learned from or evaluated; the others are done
#     2  usage, or no ARFF file in FOLDER
#     3  the comparison failed: Java or weka.jar is missing, or Weka has failed
#     from 128 on: ended by a signal
set -u

if [ $# -lt 2 ]; then
    echo "usage: sh batch.sh FOLDER OUT [OPTION ...]" >&2
    exit 2
fi
folder=$1 out=$2
shift 2
program=${WIDC:-widc-arff} folds=${FOLDS:-10} runs=${RUNS:-1} jobs=${JOBS:-1}

set_aside() { # a file whose step has ended with a status
    [ "$2" -lt 128 ] || exit "$2"
    echo "failed: $1" >&2
    tail -n 3 "$log" >&2
    rm -f "$evaluation"
    failed=$((failed + 1))
}

mkdir -p "$out" || exit 2
found=0 failed=0
for file in "$folder"/*.arff; do
    [ -f "$file" ] || continue
    found=$((found + 1))
    name=$(basename "$file" .arff)
    evaluation=$out/$name.evaluation.json log=$out/$name.log
    "$program" --quiet train "$file" --model "$out/$name.json" "$@" \
        >"$out/$name.txt" 2>"$log" || { set_aside "$file" $?; continue; }
    "$program" --quiet evaluate "$file" --folds "$folds" --repeats "$runs" --jobs "$jobs" \
        --format json "$@" >"$evaluation" 2>>"$log" || { set_aside "$file" $?; continue; }
    echo "learned: $file"
done
if [ "$found" -eq 0 ]; then
    echo "expected ARFF files in $folder, found none" >&2
    exit 2
fi
if [ "$failed" -lt "$found" ]; then
    for file in "$folder"/*.arff; do
        [ -f "$out/$(basename "$file" .arff).evaluation.json" ] && set -- "$@" "$file"
    done
    "$program" --quiet compare "$@" --against "${AGAINST:-J48}" --runs "$runs" --folds "$folds" \
        --jobs "$jobs" --output "$out"
    status=$?
    [ "$status" -lt 128 ] || exit "$status"
    [ "$status" -eq 0 ] || exit 3
fi
[ "$failed" -eq 0 ]
