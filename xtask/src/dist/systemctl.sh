#!/bin/sh
# Stands for systemctl in a root without systemd: starts, stops and restarts one service by the lines of its unit file.
# The port comes from /run/port, because several attempts share the network of one machine.
unit=fourfold.service
action=
for word; do
    case $word in
    *.service) unit=$word ;;
    -*) ;;
    *) [ -n "$action" ] || action=$word ;;
    esac
done
file=/usr/lib/systemd/system/$unit
pid_file=/run/$unit.pid
link=/etc/systemd/system/multi-user.target.wants/$unit

line() { sed -n "s/^$1=//p" "$file"; }

runs() { [ -s "$pid_file" ] && kill -0 "$(cat "$pid_file")" 2>/dev/null; }

stop() {
    runs || return 0
    kill -TERM "$(cat "$pid_file")"
    waited=0
    while runs && [ $waited -lt 450 ]; do
        sleep 0.1
        waited=$((waited + 1))
    done
    rm -f "$pid_file"
}

start() {
    runs && return 0
    state=/var/lib/$(line StateDirectory)
    [ -d "$state" ] || install --directory --owner="$(line User)" --group="$(line Group)" --mode=0750 "$state"
    # shellcheck disable=SC2046
    setsid setpriv --reuid="$(line User)" --regid="$(line Group)" --clear-groups --no-new-privs \
        env $(line Environment) FOURFOLD_PORT="$(cat /run/port)" FOURFOLD_MESSAGES_PER_SECOND=0 \
        $(line ExecStart) >>/var/log/fourfold.log 2>&1 </dev/null &
    echo $! >"$pid_file"
}

case $action in
start) start ;;
stop) stop ;;
restart | try-restart) stop && start ;;
is-active) runs ;;
is-enabled) [ -L "$link" ] && echo enabled ;;
# The helper of Debian's scripts leaves the link to systemctl where there is one.
enable | preset) [ ! -e "$file" ] || ln -sf "$file" "$link" ;;
disable) rm -f "$link" ;;
*) ;;
esac
