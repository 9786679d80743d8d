@echo off
rem Learns from every ARFF file of a folder, and compares with classifiers of Weka.
rem
rem     batch.cmd FOLDER OUT [OPTION ...]
rem
rem As batch.sh, where files, environment and exit status are told.  An option with a = or a comma
rem stands in quotes: --class-weight "yes=2".  File names have no percent sign and no caret, and
rem have less than 8,000 characters together: so much holds a line of this shell.
setlocal enableextensions disabledelayedexpansion

if "%~2"=="" (
    echo usage: batch.cmd FOLDER OUT [OPTION ...] 1>&2
    exit /b 2
)
set "folder=%~1"
set "out=%~2"
rem Backslashes at the end would quote the quote that follows.
:trim
if not "%out:~-1%"=="\" goto trimmed
set "out=%out:~0,-1%"
goto trim
:trimmed
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
if not exist "%out%\*" mkdir "%out%"
if not exist "%out%\*" exit /b 2
set found=
if not exist "%folder%\" goto none_found
pushd "%folder%"
for %%i in (*.arff) do call :find "%folder%\%%i"
popd
if not defined found goto none_found
set failed=0
set files=
set ended=
for %%i in (%found%) do call :learn %%i
if defined ended exit /b %ended%
if not defined files exit /b 1
call "%WIDC%" --quiet compare %files% %options% --against "%AGAINST%" --runs %RUNS% --folds %FOLDS% --jobs %JOBS% --output "%out%"
call :note_end %errorlevel%
if defined ended exit /b %ended%
if not %status%==0 exit /b 3
if not %failed%==0 exit /b 1
exit /b 0

:none_found
for %%i in ("%folder%") do echo expected ARFF files in %%~i, found none 1>&2
exit /b 2

:find
set found=%found% %1
exit /b 0

:learn
if defined ended exit /b 0
set "file=%~1"
set "name=%~n1"
call "%WIDC%" --quiet train "%file%" --model "%out%\%name%.json" %options% > "%out%\%name%.txt" 2> "%out%\%name%.log"
call :note_end %errorlevel%
if not %status%==0 goto set_aside
call "%WIDC%" --quiet evaluate "%file%" --folds %FOLDS% --repeats %RUNS% --jobs %JOBS% --format json %options% > "%out%\%name%.evaluation.json" 2>> "%out%\%name%.log"
call :note_end %errorlevel%
if not %status%==0 goto set_aside
for %%i in ("%file%") do echo learned: %%~i
set files=%files% "%file%"
exit /b 0

:set_aside
if defined ended exit /b 0
set /a failed+=1
for %%i in ("%file%") do echo failed: %%~i 1>&2
type "%out%\%name%.log" 1>&2
if exist "%out%\%name%.evaluation.json" del "%out%\%name%.evaluation.json"
exit /b 0

:note_end
rem A program that Windows or a user has ended has a status from 128 on, or a negative one.
set "status=%~1"
if %status% geq 128 set "ended=%status%"
if %status% lss 0 set "ended=%status%"
exit /b 0
