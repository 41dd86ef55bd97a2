#!/bin/sh
# PostgreSQL, NATS and Fourfold nodes on one machine, without containers, in a folder of their own and on their own
# ports. For trying things out and for the tests; a public server wants packages and units.
#
#   one-machine.sh services DIR            PostgreSQL and NATS; writes DIR/env with their addresses
#   one-machine.sh nodes DIR [COUNT]       nodes (2 without a number) and a worker; writes DIR/nodes
#   one-machine.sh stop DIR                ends everything that was started there; rm -r DIR forgets it
#
# and, for tests, one thing at a time:
#   one-machine.sh postgres|stop-postgres|kill-postgres|nats|kill-nats|wipe-nats|pause-nats|wake-nats DIR
#
# FOURFOLD_POSTGRES_OPTIONS are further options of PostgreSQL: for data that may be lost, "-c fsync=off" saves much time.
# The first port is FOURFOLD_PORTS, or chosen by the number of this process: PostgreSQL, NATS, then the nodes.
set -eu
what=${1:?say what to do; the beginning of this file tells}
dir=${2:?and where}
program=${FOURFOLD:-fourfold}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
# Below the ports that the system gives to connections, in steps that leave room for the nodes.
free_ports() {
    candidate=$((20000 + $$ % 600 * 20))
    while taken $candidate || taken $((candidate + 1)); do candidate=$((20000 + (candidate - 19980) % 12000)); done
    echo $candidate
}
# Whether a program listens there, if the system says.
taken() {
    [ -r /proc/net/tcp ] && cat /proc/net/tcp /proc/net/tcp6 2> /dev/null | grep -q ":$(printf %04X "$1") [0:]* 0A "
}
[ -f "$dir/port" ] || echo "${FOURFOLD_PORTS:-$(free_ports)}" > "$dir/port"
port=$(cat "$dir/port")

# PostgreSQL does not run as root.
as_postgres() {
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}
postgres_programs() {
    for folder in /usr/lib/postgresql/*/bin /usr/local/pgsql/bin; do
        [ -x "$folder/initdb" ] && found=$folder
    done
    [ -n "${found:-}" ] || found=$(dirname "$(command -v initdb || true)")
    [ -x "$found/initdb" ] || { echo "no PostgreSQL here: apt-get install postgresql" >&2; exit 3; }
    echo "$found"
}
start_postgres() {
    bin=$(postgres_programs)
    if [ ! -d "$dir/postgres" ]; then
        mkdir "$dir/postgres"
        if [ "$(id -u)" = 0 ]; then chown postgres "$dir/postgres"; chmod a+x "$dir"; fi
        as_postgres "$bin/initdb" --auth=trust --username=postgres --no-sync -D "$dir/postgres" > "$dir/initdb.log"
        # Only this name needs a password: the tests try a wrong one with it.
        echo "host all guarded 127.0.0.1/32 scram-sha-256" > "$dir/pg_hba"
        cat "$dir/postgres/pg_hba.conf" >> "$dir/pg_hba"
        cat "$dir/pg_hba" > "$dir/postgres/pg_hba.conf"
    fi
    as_postgres "$bin/pg_ctl" -D "$dir/postgres" -w -t 60 -l "$dir/postgres/log" -s \
        -o "-p $port -c listen_addresses=127.0.0.1 -c max_connections=300 -k $dir/postgres ${FOURFOLD_POSTGRES_OPTIONS:-}" start
}
stop_postgres() {
    [ -f "$dir/postgres/postmaster.pid" ] || return 0
    as_postgres "$(postgres_programs)/pg_ctl" -D "$dir/postgres" -w -s -m "$1" stop || true
}
start_nats() {
    command -v nats-server > /dev/null || { echo "no NATS here: apt-get install nats-server" >&2; exit 3; }
    nats-server --addr 127.0.0.1 --port $((port + 1)) --jetstream --store_dir "$dir/nats" \
        > "$dir/nats.log" 2>&1 < /dev/null &
    echo $! > "$dir/nats.pid"
    until grep -q "Server is ready" "$dir/nats.log"; do
        kill -0 "$(cat "$dir/nats.pid")" 2> /dev/null || { cat "$dir/nats.log" >&2; exit 1; }
        sleep 0.05
    done
}
signal() {
    # A process that is gone needs no signal.
    [ ! -f "$2" ] || while read -r pid; do kill "-$1" "$pid" 2> /dev/null || true; done < "$2"
}
start_nodes() {
    # shellcheck disable=SC1091
    . "$dir/env"
    export FOURFOLD_DATABASE FOURFOLD_BUS
    : > "$dir/nodes"
    for number in $(seq 1 "$1"); do
        "$program" serve --port $((port + 1 + number)) > "$dir/node$number.log" 2>&1 < /dev/null &
        echo $! >> "$dir/fourfold.pids"
        echo "http://127.0.0.1:$((port + 1 + number))" >> "$dir/nodes"
    done
    "$program" worker > "$dir/worker.log" 2>&1 < /dev/null &
    echo $! >> "$dir/fourfold.pids"
    cat "$dir/nodes"
}

case $what in
services)
    start_postgres
    start_nats
    echo "FOURFOLD_DATABASE=postgres://postgres@127.0.0.1:$port/postgres" > "$dir/env"
    echo "FOURFOLD_BUS=nats://127.0.0.1:$((port + 1))" >> "$dir/env"
    cat "$dir/env"
    ;;
nodes) start_nodes "${3:-2}" ;;
postgres) start_postgres ;;
stop-postgres) stop_postgres fast ;;
kill-postgres) stop_postgres immediate ;;
nats) start_nats ;;
kill-nats) signal KILL "$dir/nats.pid" ;;
wipe-nats)
    signal KILL "$dir/nats.pid"
    # Until the killed process writes no more.
    sleep 0.2
    rm -rf "$dir/nats"
    ;;
pause-nats) signal STOP "$dir/nats.pid" ;;
wake-nats) signal CONT "$dir/nats.pid" ;;
stop)
    signal TERM "$dir/fourfold.pids"
    rm -f "$dir/fourfold.pids"
    signal CONT "$dir/nats.pid"
    signal TERM "$dir/nats.pid"
    stop_postgres fast
    ;;
*) echo "cannot do $what; the beginning of this file tells" >&2; exit 2 ;;
esac
