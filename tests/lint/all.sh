#!/bin/bash
# Runs all checks of the sources, one line for each; details only of what fails. B is the build
# folder (default build).
set -u
cd "$(dirname "$0")/../.." || exit 1
export B=${B:-build}
bad=0
for check in layers headers rulings decisions routes limits settings metrics format words; do
    found=$(tests/lint/$check.sh 2>&1)
    case $? in
    0) printf '  LINT    %-9s ok\n' $check ;;
    77) printf '  LINT    %-9s %s\n' $check "$found" ;;
    *) printf '  LINT    %-9s FAILED\n%s\n' $check "$found"; bad=1 ;;
    esac
done
long=$(git ls-files '*.[ch]' | xargs awk -f tests/lint/lengths.awk | wc -l)
printf '  LINT    %-9s %s\n' lengths "$long over the sizes to live by"
exit "$bad"
