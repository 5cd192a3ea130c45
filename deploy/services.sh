#!/usr/bin/env bash
# Installs the programs that the tests with services run, where they are missing: root on Debian or
# a relative of it. Elsewhere it says what to install. Running it again changes nothing.
#
#   deploy/services.sh            everything on the list
#   deploy/services.sh postgres   what is named
#   deploy/services.sh --list     what there is, and whether it is here
#
# No service is started: the tests start their own and end them.
set -euo pipefail

# One line each: name | how to see that it is here | Debian packages
SERVICES='
postgres | ls /usr/lib/postgresql/*/bin/initdb || command -v initdb | postgresql
kafka | [ -n "$KAFKA_BOOTSTRAP_SERVERS" ] || docker version || { command -v java && command -v mvn; } | openjdk-17-jre-headless maven
'

trimmed() {
    local text=$1
    text="${text#"${text%%[![:space:]]*}"}"
    printf '%s' "${text%"${text##*[![:space:]]}"}"
}

# Calls "$1" with the name, probe and packages of each service that is asked for.
each() {
    local call=$1 line name probe packages
    shift
    while IFS= read -r line; do
        [[ -n $line ]] || continue
        name=$(trimmed "${line%% | *}")
        packages=$(trimmed "${line##* | }")
        probe=${line#* | }
        probe=$(trimmed "${probe% | *}")
        if [[ $# -eq 0 || " $* " == *" $name "* ]]; then
            "$call" "$name" "$probe" "$packages"
        fi
    done <<<"$SERVICES"
}

is_here() {
    bash -c "$1" >/dev/null 2>&1
}

list() {
    if is_here "$2"; then
        echo "$1: here"
    else
        echo "$1: missing; packages: $3"
    fi
}

missing=()
note_missing() {
    is_here "$2" || missing+=("$1")
}

wanted=()
want() {
    local package
    for package in $3; do
        wanted+=("$package")
    done
}

# Debian's package would make and start a server of its own, which the tests do not need.
keep_postgres_still() {
    local file=/etc/postgresql-common/createcluster.conf
    mkdir -p "$(dirname "$file")"
    if ! grep -qs '^ *create_main_cluster *= *false' "$file"; then
        echo 'create_main_cluster = false' >>"$file"
    fi
}

main() {
    if [[ ${1:-} == --list ]]; then
        each list
        return
    fi
    local name known
    known=$(each show_name | tr '\n' ' ')
    for name in "$@"; do
        if [[ " $known " != *" $name "* ]]; then
            echo "no service '$name'; there are: $known" >&2
            return 2
        fi
    done
    each note_missing "$@"
    if [[ ${#missing[@]} -eq 0 ]]; then
        echo "everything is here"
        return
    fi
    each want "${missing[@]}"
    if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
        echo "missing: ${missing[*]}. On Debian, as root: apt-get install ${wanted[*]}" >&2
        echo "Elsewhere install what brings the same programs." >&2
        return 3
    fi
    if [[ " ${missing[*]} " == *" postgres "* ]]; then
        keep_postgres_still
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null
    local before="${missing[*]}"
    missing=()
    each note_missing "$@"
    if [[ ${#missing[@]} -gt 0 ]]; then
        echo "installed, and still not found: ${missing[*]}" >&2
        return 3
    fi
    echo "installed: $before"
}

show_name() {
    echo "$1"
}

main "$@"
