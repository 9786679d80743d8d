@echo off
rem Learns from every ARFF file of a folder, and compares with classifiers of Weka.
rem
rem     batch.cmd FOLDER OUT [OPTION ...]
rem
rem As batch.sh, where files, environment and exit status are told.  An option with a = or a comma
rem stands in quotes: --class-weight "yes=2".
setlocal enableextensions disabledelayedexpansion

if "%~2"=="" (
    echo usage: batch.cmd FOLDER OUT [OPTION ...] 1>&2
    exit /b 2
)
set "folder=%~1"
set "out=%~2"
set options=
:next_option
if "%~3"=="" goto settings
set options=%options% %3
shift /3
goto next_option

:settings
if not defined WIDC set "WIDC=widc-arff"
if not defined FOLDS set "FOLDS=10"
if not defined RUNS set "RUNS=1"
if not defined JOBS set "JOBS=1"
if not defined AGAINST set "AGAINST=J48"
if not exist "%out%\" mkdir "%out%" || exit /b 2
set found=0
set failed=0
set files=
for %%f in ("%folder%\*.arff") do call :learn "%%~f" "%%~nf"
if %found%==0 (
    echo expected ARFF files in %folder%, found none 1>&2
    exit /b 2
)
if not defined files exit /b 1
call "%WIDC%" --quiet compare %files% %options% --against "%AGAINST%" --runs %RUNS% --folds %FOLDS% --jobs %JOBS% --output "%out%"
if errorlevel 1 exit /b 3
if not %failed%==0 exit /b 1
exit /b 0

:learn
set /a found+=1
call "%WIDC%" --quiet train "%~1" --model "%out%\%~2.json" %options% > "%out%\%~2.txt" 2> "%out%\%~2.log"
if errorlevel 1 goto set_aside
call "%WIDC%" --quiet evaluate "%~1" --folds %FOLDS% --repeats %RUNS% --jobs %JOBS% --format json %options% > "%out%\%~2.evaluation.json" 2>> "%out%\%~2.log"
if errorlevel 1 goto set_aside
echo learned: %~1
set files=%files% "%~1"
exit /b 0

:set_aside
set /a failed+=1
echo failed: %~1 1>&2
type "%out%\%~2.log" 1>&2
if exist "%out%\%~2.evaluation.json" del "%out%\%~2.evaluation.json"
exit /b 0
