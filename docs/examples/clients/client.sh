#!/bin/sh
# Streams from Tweencast and posts updates, with curl 7.55 or later and a POSIX shell.
#   sh client.sh stream http://localhost:8080 'ticker=visitors'
#   sh client.sh add http://localhost:8080 visitors 1
# TWEENCAST_TOKEN is sent where the server asks for tokens. TWEENCAST_KEY names what is added: with the same key it
# counts once, even if a cron job runs twice.
set -u
verb=$1 url=${2%/}
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

# Whether the server would answer the same again. curl follows no redirect: the token is for this server alone.
is_final() {
    case $1 in
        204 | 3?? | 4[0-13-9][0-9] | 42[0-8]) return 0 ;;
        *) return 1 ;;
    esac
}

# Seconds that the last answer says to wait, at most a minute; nothing where it doesn't say.
retry_after() {
    asked=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([1-9][0-9]*\).*/\1/p' "$state/head")
    if [ "${asked:-0}" -gt 60 ]; then
        echo "$status: the server asks for $asked s, trying again in 60 s" >&2
        asked=60
    fi
    echo "$asked"
}

stream() {
    echo 2000 >"$state/retry"
    : >"$state/last"
    failures=0
    while :; do
        : >"$state/head"
        # After two missing heartbeats the connection is dead: curl closes it.
        curl --silent --no-buffer --connect-timeout 10 --speed-limit 1 --speed-time $((2 * heartbeat + 1)) \
            --dump-header "$state/head" --header "@$state/token" --header "Last-Event-ID: $(cat "$state/last")" \
            "$url/v1/events?$1&heartbeat=$heartbeat" | read_events
        status=$(sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p' "$state/head")
        if is_final "$status"; then
            echo "refused: $status" >&2
            exit 1
        elif [ "$status" = 200 ]; then
            failures=0
        elif [ "$failures" -lt 4 ]; then
            failures=$((failures + 1)) # no answer, 429, 5xx
        fi
        # The server's `retry` spreads its clients; while it stays away, attempts become rarer.
        pause=$(cat "$state/retry")
        [ "$failures" -lt 2 ] || pause=$((pause << (failures - 1)))
        after=$(retry_after)
        sleep "${after:-$(printf '%d.%03d' $((pause / 1000)) $((pause % 1000)))}"
    done
}

# Adds to a ticker's target once, however often it is sent: all attempts have one key. (curl's own --retry would wait as long
# as an answer asks.)
add() {
    key=${TWEENCAST_KEY:-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')}
    for pause in 0.5 1 2 4 8 16 30 30 30 30; do
        : >"$state/head"
        status=$(curl --silent --show-error --output "$state/answer" --dump-header "$state/head" \
            --write-out '%{http_code}' --max-time 10 --header "@$state/token" --header "Idempotency-Key: $key" \
            --header 'Content-Type: application/json' --data "{\"by\":$2,\"duration\":0.5}" "$url/v1/tickers/$1") ||
            status=000 # an answer that was cut off is none
        case $status in
            2??) cat "$state/answer" && echo && return ;;
        esac
        if is_final "$status"; then
            echo "$status $(cat "$state/answer")" >&2
            return 1
        fi
        after=$(retry_after)
        sleep "${after:-$pause}"
    done
    echo "the server doesn't answer" >&2
    return 1
}

state=$(mktemp -d)
# In a file, because any user can list the arguments of processes.
printf '%s' "${TWEENCAST_TOKEN:+Authorization: Bearer $TWEENCAST_TOKEN}" >"$state/token"
trap 'rm -r "$state"' EXIT
trap 'exit 1' INT TERM
shift 2
"$verb" "$@"
