#!/bin/sh
# Streams from Tweencast and posts updates, with curl 7.71 or later and a POSIX shell.
#   sh client.sh stream http://localhost:8080 'ticker=visitors'
#   sh client.sh add http://localhost:8080 visitors 1
set -u
verb=$1 url=$2
heartbeat=${HEARTBEAT:-5} # seconds of silence before a heartbeat

# The events of one connection. The loop is a separate process, so files keep what outlives the connection.
read_events() {
    name=message id='' data=''
    while IFS= read -r line; do
        case $line in
            'event: '*) name=${line#event: } ;;
            'id: '*) id=${line#id: } ;;
            'retry: '*) echo "${line#retry: }" >"$state/retry" ;;
            # Several lines are one text. JSON has line breaks only where spaces are allowed.
            'data: '*) data=$data${data:+ }${line#data: } ;;
            '')
                # The event is complete only now. One that was cut off is sent again, so its id must not be stored earlier.
                [ -z "$id" ] || echo "$id" >"$state/last"
                [ -z "$data" ] || printf '%s %s\n' "$name" "$data"
                [ "$name" != bye ] || return 0
                name=message id='' data=''
                ;;
        esac
    done
}

stream() {
    echo 2000 >"$state/retry"
    : >"$state/last"
    failures=0
    while :; do
        : >"$state/head"
        # After two missing heartbeats the connection is dead: curl closes it.
        curl --silent --no-buffer --connect-timeout 10 --speed-limit 1 --speed-time $((2 * heartbeat + 1)) \
            --dump-header "$state/head" --header "Last-Event-ID: $(cat "$state/last")" \
            "$url/v1/events?$1&heartbeat=$heartbeat" | read_events
        status=$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$state/head")
        case $status in
            200) failures=0 ;;
            204 | 4[0-13-9][0-9] | 42[0-8]) echo "refused: $status" >&2 && exit 1 ;;
            *) [ "$failures" -ge 4 ] || failures=$((failures + 1)) ;; # no answer, 429, 5xx
        esac
        # The server's `retry` spreads its clients; while it stays away, attempts become rarer.
        pause=$(cat "$state/retry")
        [ "$failures" -lt 2 ] || pause=$((pause << (failures - 1)))
        after=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([1-9][0-9]*\).*/\1000/p' "$state/head")
        pause=${after:-$pause}
        sleep "$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))"
    done
}

# Adds to a ticker's target once, however often it is sent: all attempts have one key. curl retries after a broken
# connection, 429 and 5xx, and waits for Retry-After. (With --fail it would also repeat rejections.) In a file each attempt's
# answer replaces the previous one; printed, they would all appear.
add() {
    key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    status=$(curl --silent --show-error --output "$state/answer" --write-out '%{http_code}' --max-time 10 --retry 10 \
        --retry-connrefused --retry-all-errors --header "Idempotency-Key: $key" \
        --data "{\"by\":$2,\"duration\":0.5}" "$url/v1/tickers/$1") || return
    cat "$state/answer" && echo
    [ "$status" -lt 400 ]
}

state=$(mktemp -d)
trap 'rm -r "$state"' EXIT
trap 'exit 1' INT TERM
shift 2
"$verb" "$@"
