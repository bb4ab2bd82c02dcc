// The Lua scripts that update the log atomically. Entries get their numbers and instants in them.

/// The atomic operations on a log.
enum LogScript: Int, CaseIterable, Sendable {
    case open, append, beat, look, hold, resetClock, commit, leave, announce, restore

    private static let all = allCases.map { RedisScript(name: "\($0)", source: $0.source) }

    /// The script for this operation.
    var script: RedisScript { Self.all[rawValue] }

    /// Returns the board's keys in the order that the scripts use.
    static func keys(of address: RedisAddress) -> [[UInt8]] {
        ["head", "log", "sessions", "members", "lease", "snapshot", "holders"].map { address.bytes($0) }
    }

    private var source: String {
        switch self {
        case .open: Self.sameFormat + Self.time + Self.write + Self.holders + Self.openSource
        case .append: Self.time + Self.presence + Self.fence + Self.write + Self.appendSource
        case .beat: Self.time + Self.presence + Self.fence + Self.piecesOfSnapshots + Self.beatSource
        case .look: Self.time + Self.presence + Self.lookSource
        case .hold: Self.time + Self.presence + Self.holdSource
        case .resetClock: Self.time + Self.presence + Self.fence + Self.write + Self.resetClockSource
        case .commit: Self.time + Self.presence + Self.fence + Self.piecesOfSnapshots + Self.commitSource
        case .leave: Self.leaveSource
        case .announce: Self.holders + Self.announceSource
        case .restore: Self.piecesOfSnapshots + Self.restoreSource
        }
    }

    /// Microseconds by which the log's time may be later or earlier than the caller expects: requests may be delayed on
    /// their way.
    static let latest = 500_000
    static let earliest = 100_000

    /// The log's time, in microseconds. `lead` is its advance over the server's clock, after the server's clock was set and
    /// the log went on as if it had not been. `set` is the sum of corrections by entries, so `clock - set` runs evenly,
    /// whatever happens to the server's clock. The last argument is that even time as the caller expects it. If the actual
    /// time differs, the script does nothing: the clock was set, or the request is late. For a caller without an expectation
    /// (an empty argument), the time is never more than a second before the latest known time, which a fast clock may have
    /// set. Mere look-ups pass a word instead (`LogClock.anyTime`), and get the time as it is.
    private static let time = """
        local function number(text) return tonumber(text or '0') end
        local function text(number) return string.format('%.0f', number) end
        local fields = {'seq', 'instant', 'lead', 'set', 'seen', 'name'}
        local head = redis.call('HMGET', KEYS[1], unpack(fields))
        for i = 1, 5 do
            local value = number(head[i])
            if not value or not (math.abs(value) <= \(StoredNumber.largest)) then
                return redis.error_reply('DAMAGED the field ' .. fields[i] .. ' of the head has no valid number: '
                    .. string.sub(string.gsub(head[i], '%c', '?'), 1, 40))
            end
        end
        local seq, last, lead, set, seen, name =
            head[1], number(head[2]), number(head[3]), number(head[4]), number(head[5]), head[6]
        local now = redis.call('TIME')
        now = number(now[1]) * 1000000 + number(now[2])
        if now + lead > \(StoredNumber.largest) then
            return redis.error_reply('DAMAGED the field lead of the head has no valid number beside this clock: ' .. text(lead))
        end
        local clock, expected = now + lead, tonumber(ARGV[#ARGV])
        local late = expected and clock - set - expected or 0
        if late > \(latest) or late < -\(earliest) then
            return redis.error_reply('STEPPED it is another time than was expected')
        end
        local known = math.max(last, seen + set)
        if seq and ARGV[#ARGV] == '' and clock < known - 1000000 then
            lead = known - now
            clock = known
            redis.call('HSET', KEYS[1], 'lead', text(lead))
        end

        """

    private static let presence = """
        if not seq then return redis.error_reply('GONE the board is not here') end

        """

    /// A replica that lost its connection begins a new session. Anything sent over the old one is rejected from then on,
    /// however late it arrives.
    private static let fence = """
        if redis.call('HGET', KEYS[3], ARGV[1]) ~= ARGV[2] then
            return redis.error_reply('FENCED this session is over')
        end

        """

    private static let write = """
        local function write(instant, entry, payload)
            local id = text(number(seq) + 1)
            redis.call('XADD', KEYS[2], id .. '-0', 't', text(instant), 'p', name, 'n', entry, 'e', payload)
            redis.call('HSET', KEYS[1], 'seq', id, 'instant', text(instant), 'name', entry)
            redis.call('HINCRBY', KEYS[1], 'bytes', #payload)
            return id
        end

        """

    /// Leaves a board alone that another version wrote in another format.
    private static let sameFormat = """
        local format = redis.call('HGET', KEYS[1], 'format')
        if format ~= ARGV[8] and redis.call('EXISTS', KEYS[1]) == 1 then return {format or '0'} end

        """

    /// replica, period, epoch, make, history, name, payload, format, zones: creates the board if it is missing and may be
    /// created, with the time zones of whoever creates it in its first entry, and begins a session. Session numbers are never
    /// reused: late requests of a forgotten session may still arrive. If the server's history has changed, the log may have
    /// lost its end, which subscribers already received. The first replica to connect then begins a new epoch, so that
    /// replicas which saw less can't reuse the same event IDs for other events.
    private static let openSource = """
        if not seq and (ARGV[4] ~= '1' or holders(now) > 0) then
            return redis.error_reply('GONE the board is not here any more')
        end
        if not seq then
            redis.call('HSET', KEYS[1], 'seq', '0', 'instant', '0', 'name', '0', 'lead', '0', 'bytes', '0',
                'period', ARGV[2], 'epoch', ARGV[3], 'format', ARGV[8])
            seq, name = '0', '0'
            if ARGV[9] ~= '' then seq = write(clock, ARGV[6], ARGV[9]) end
        end
        if ARGV[5] ~= '' then
            local history = redis.call('HGET', KEYS[1], 'history')
            if history and history ~= ARGV[5] then seq = write(math.max(last + 1, clock), ARGV[6], ARGV[7]) end
            redis.call('HSET', KEYS[1], 'history', ARGV[5])
        end
        local session = redis.call('HINCRBY', KEYS[1], 'sessions', 1)
        redis.call('HSET', KEYS[3], ARGV[1], text(session))
        local board = redis.call('HMGET', KEYS[1], 'period', 'epoch')
        return {text(session), seq, text(clock - set), board[1], board[2]}
        """

    /// replica, session, name, payload, due: appends an entry, unless the log has passed its due instant: a later
    /// entry is there already.
    private static let appendSource = """
        if ARGV[5] ~= '' and last > number(ARGV[5]) then return {'0', text(clock - set)} end
        return {write(math.max(last + 1, clock), ARGV[3], ARGV[4]), text(clock - set)}
        """

    /// replica, session, report, lease, silence, able, place, checked: records the replica's heartbeat, and returns all members
    /// and where the log stands. `lease` is in milliseconds, `silence` in microseconds: a member that was silent for ten times as
    /// long is removed, and can't write until it opens a new session. A replica that is able to lead may become or stay the steward. All times are in the log's even time, so setting the
    /// server's clock makes no replica count as dead and ends no lease early. If that time starts over, earlier records may
    /// lie in the future; they are then set to now. The steward, or everybody while there is none, checks that the board could be loaded: that the newest snapshot
    /// and all entries behind it are there. It notes in the head what is missing, and since when, for the other replicas. A snapshot whose
    /// numbers can't be right counts as missing, too. `checked` is the slot whose pieces this replica found a short time
    /// ago; of those, only the first is looked for, unless another replica has noted since that something is missing.
    private static let beatSource = """
        local even, lease = clock - set, number(ARGV[4]) * 1000
        redis.call('HSET', KEYS[4], ARGV[1], text(even) .. ' ' .. ARGV[3])
        if expected and late <= \(earliest) then redis.call('HSET', KEYS[1], 'seen', text(even)) end
        local holder, till = string.match(redis.call('GET', KEYS[5]) or '', '^(%S+) (%d+)$')
        if holder and number(till) < even then holder = nil end
        if holder == ARGV[1] and ARGV[6] == '0' then
            redis.call('DEL', KEYS[5])
            holder = nil
        end
        if holder == ARGV[1] or not holder and ARGV[6] == '1' then holder, till = ARGV[1], text(even + lease) end
        if holder then redis.call('SET', KEYS[5], holder .. ' ' .. text(math.min(number(till), even + lease))) end
        local members = redis.call('HGETALL', KEYS[4])
        for i = 1, #members, 2 do
            local seen = number(string.match(members[i + 1], '^%d+'))
            if seen > even then
                redis.call('HSET', KEYS[4], members[i], (string.gsub(members[i + 1], '^%d+', text(even), 1)))
            end
            if even - seen > number(ARGV[5]) * 10 then
                redis.call('HDEL', KEYS[4], members[i])
                redis.call('HDEL', KEYS[3], members[i])
            end
        end
        local snapshot = redis.call('HMGET', KEYS[6], 'sequence', 'mark', 'size', 'written', 'slot', 'pieces', 'instant',
            'name', 'digest', 'set')
        local function isLoadable()
            for i, value in ipairs(snapshot) do
                if i ~= 5 and not string.match(value or i == 10 and '0' or '', i == 10 and '^%-?%d+$' or '^%d+$') then
                    return false
                end
            end
            for _, i in ipairs({1, 2, 3, 4, 6, 7, 10}) do
                if math.abs(number(snapshot[i])) > \(StoredNumber.largest) then return false end
            end
            local pieces = number(snapshot[6])
            local isChecked = snapshot[5] == ARGV[8] and redis.call('HEXISTS', KEYS[1], 'missing') == 0
            return number(snapshot[1]) <= number(seq) and pieces <= \(SnapshotStore.mostPieces)
                and areThere(ARGV[7] .. snapshot[5] .. ':', isChecked and math.min(pieces, 1) or pieces)
        end
        if holder == ARGV[1] or not holder then
            local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
            local isThere = not snapshot[5] or isLoadable()
            local from = snapshot[5] and isThere and number(snapshot[1]) or 0
            local missing
            if not isThere then
                missing = 'the newest snapshot'
            elseif number(seq) > from and not (first and number(string.match(first[1], '^%d+')) <= from + 1) then
                missing = 'entries of the log'
            end
            if missing then
                redis.call('HSET', KEYS[1], 'missing', missing)
                redis.call('HSETNX', KEYS[1], 'missed', text(even))
            else
                redis.call('HDEL', KEYS[1], 'missing', 'missed')
            end
        end
        local more = redis.call('HMGET', KEYS[1], 'bytes', 'missing', 'missed')
        return {text(even), seq, text(last), name, text(lead), holder or false, members, more[1], snapshot, more[2],
            more[3]}
        """

    /// Returns the log's even time, and its lead.
    private static let lookSource = "return {text(clock - set), text(lead)}"

    /// lead, step: lets the log's time go on as if the server's clock had not been set by this step. Returns 2 if another
    /// replica was faster, and 0 if others have seen the time run on normally, so that the caller's own clock is at fault.
    private static let holdSource = """
        if text(lead) ~= ARGV[1] then return 2 end
        local step, since = number(ARGV[2]), clock - set - seen
        if seen == 0 or step > 0 and since < step - 50000 or step < 0 and since > 0 then return 0 end
        redis.call('HSET', KEYS[1], 'lead', text(lead - step))
        return 1
        """

    /// replica, session, name, payload, lead: sets the log's time to the server's again.
    private static let resetClockSource = """
        if lead == 0 or text(lead) ~= ARGV[5] then return 0 end
        redis.call('HSET', KEYS[1], 'lead', '0', 'set', text(set - lead))
        return write(now, ARGV[3], ARGV[4])
        """

    /// Functions for a set of pieces by the prefix of its keys: check that all exist, make them persistent, delete them.
    /// Callers first write something that a server without memory rejects, so that nothing is left half done.
    static let piecesOfSnapshots = """
        local function areThere(stem, count)
            for i = 0, count - 1 do
                if redis.call('EXISTS', stem .. i) == 0 then return false end
            end
            return true
        end
        local function keep(stem, count)
            for i = 0, count - 1 do redis.call('PERSIST', stem .. i) end
        end
        local function drop(stem, count)
            for i = 0, math.min(count, \(SnapshotStore.mostPieces)) - 1 do redis.call('UNLINK', stem .. i) end
        end

        """

    /// replica, session, place, slot, sequence, instant, name, digest, pieces, mark, size, set, rewinds: makes pieces that were
    /// written the newest snapshot. The previous snapshot, and the log after it, are kept for replicas that are reading
    /// them, unless something of it is missing; then the log must end with this snapshot or go on behind it, and damaged
    /// numbers of the previous one don't count. Where the log has lost entries before anybody applied them, it may be rewound
    /// to the furthest board: each replica that isn't gone must have reported since the loss was noted, and none be further.
    /// All sessions end with it, so clients that wait for a lost entry are answered, and the next one begins an epoch. All is
    /// checked before anything is written.
    private static let commitSource = """
        local known = redis.call('HMGET', KEYS[6], 'sequence', 'slot', 'pieces', 'keptSlot', 'keptPieces')
        local function count(text) return tonumber(string.match(text or '', '^%d+$') or '') end
        local before, slot, kept = count(known[1]), known[2], known[4]
        local pieces, keptPieces = count(known[3]) or 0, count(known[5]) or 0
        local isBroken = redis.call('HEXISTS', KEYS[1], 'missing') == 1
        local ending, next = number(ARGV[5]), text(number(ARGV[5]) + 1) .. '-0'
        if before and not isBroken and before >= ending then return redis.error_reply('OLD a newer one is there') end
        if ending > number(seq) then return redis.error_reply('OLD the log ends before this board') end
        local rewinds = isBroken and ARGV[13] == '1'
        if rewinds then
            local even, missed = clock - set, number(redis.call('HGET', KEYS[1], 'missed'))
            local members = redis.call('HGETALL', KEYS[4])
            for i = 1, #members, 2 do
                local seen, sequence = string.match(members[i + 1], '^(%d+) (%d+)')
                seen = number(seen)
                local isHere = even - seen <= \(LogAppender.silence) * 1000000
                if isHere and (members[i] ~= ARGV[1] and seen <= missed or number(sequence) > ending) then
                    return redis.error_reply('OLD a replica may be further')
                end
            end
            if #redis.call('XRANGE', KEYS[2], next, next) > 0 then
                return redis.error_reply('OLD the log goes on behind this board')
            end
        elseif isBroken and ending < number(seq) and #redis.call('XRANGE', KEYS[2], next, next) == 0 then
            return redis.error_reply('OLD this board ends before the log, which has lost the next entry')
        end
        local stem = ARGV[3] .. ARGV[4] .. ':'
        if not areThere(stem, number(ARGV[9])) then
            return redis.error_reply('LATE it took too long: the first pieces have gone')
        end
        redis.call('HSET', KEYS[6], 'slot', ARGV[4], 'sequence', ARGV[5], 'instant', ARGV[6], 'name', ARGV[7],
            'digest', ARGV[8], 'pieces', ARGV[9], 'mark', ARGV[10], 'size', ARGV[11], 'written', text(clock - set),
            'set', ARGV[12],
            'keptSlot', slot or '', 'keptPieces', text(pieces))
        keep(stem, number(ARGV[9]))
        if kept then drop(ARGV[3] .. kept .. ':', keptPieces) end
        if isBroken then
            if slot then drop(ARGV[3] .. slot .. ':', pieces) end
            before = ending
            redis.call('HSET', KEYS[6], 'keptSlot', '', 'keptPieces', '0')
            redis.call('HDEL', KEYS[1], 'missing', 'missed')
        end
        if rewinds then
            -- Even time goes on where a setting of the clock is among the lost entries.
            redis.call('HSET', KEYS[1], 'seq', ARGV[5], 'instant', ARGV[6], 'name', ARGV[7], 'history', 'rewound',
                'set', ARGV[12], 'lead', text(lead + number(ARGV[12]) - set))
            redis.call('UNLINK', KEYS[2], KEYS[3])
        elseif before then
            redis.call('XTRIM', KEYS[2], 'MAXLEN', text(number(seq) - before))
        end
        return 1
        """

    /// replica, session: removes the replica.
    private static let leaveSource = """
        if redis.call('HGET', KEYS[3], ARGV[1]) == ARGV[2] then
            redis.call('HDEL', KEYS[3], ARGV[1])
            redis.call('HDEL', KEYS[4], ARGV[1])
            if string.match(redis.call('GET', KEYS[5]) or '', '^%S+') == ARGV[1] then redis.call('DEL', KEYS[5]) end
        end
        return 1
        """

    /// The running replicas that have the lost board, each with its position and the time of its last note. `*`: one of them
    /// is to write it back; `#`: the time of the first note. Notes older than `silence` don't count.
    private static let holders = """
        local function holders(now)
            local count, best, most = 0, nil, -1
            local all = redis.call('HGETALL', KEYS[7])
            for i = 1, #all, 2 do
                local position, seen = string.match(all[i + 1], '^(%-?%d+) (%d+)$')
                if all[i] ~= '#' and not (seen and now - tonumber(seen) < \(LogAppender.silence) * 1000000) then
                    redis.call('HDEL', KEYS[7], all[i])
                elseif all[i] ~= '#' and all[i] ~= '*' then
                    count = count + 1
                    position = tonumber(position)
                    if position > most or position == most and (not best or all[i] < best) then
                        best, most = all[i], position
                    end
                end
            end
            return count, best
        end

        """

    /// replica, position, restores: for a server that has lost the board. A replica that has it says so, with its position,
    /// which is -1 if it can't write it back; a replica that starts has none. Returns how many have it, whether this one
    /// should write it back, and whether the board is there.
    private static let announceSource = """
        local now = redis.call('TIME')
        now = tonumber(now[1]) * 1000000 + tonumber(now[2])
        local stamp = string.format('%.0f', now)
        if redis.call('EXISTS', KEYS[1]) == 1 then return {0, 0, 1} end
        if ARGV[2] ~= '' then
            redis.call('HSETNX', KEYS[7], '#', stamp)
            redis.call('HSET', KEYS[7], ARGV[1], ARGV[2] .. ' ' .. stamp)
        end
        if ARGV[3] == '1' then redis.call('HSET', KEYS[7], '*', '0 ' .. stamp) end
        local count, best = holders(now)
        if count == 0 then
            redis.call('DEL', KEYS[7])
            return {0, 0, 0}
        end
        redis.call('PEXPIRE', KEYS[7], \(LogAppender.silence) * 1000)
        local known = redis.call('HMGET', KEYS[7], '#', '*')
        local isTime = known[1] and math.abs(now - (tonumber(known[1]) or 0)) > 1000000
        return {count, best == ARGV[1] and known[2] and isTime and 1 or 0, 0}
        """

    /// place, slot, sequence, instant, name, digest, pieces, size, set, period, epoch, format, even: makes pieces that were
    /// written the snapshot of a board that the server has lost, whose log goes on behind it. What is left of it is of no
    /// use. Session numbers continue from the present second, so that none is used again. Returns 0 if the board is there.
    private static let restoreSource = """
        if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
        local stem, count = ARGV[1] .. ARGV[2] .. ':', tonumber(ARGV[7])
        if not areThere(stem, count) then
            return redis.error_reply('LATE it took too long: the first pieces have gone')
        end
        local now = redis.call('TIME')
        local known = redis.call('HMGET', KEYS[6], 'slot', 'pieces', 'keptSlot', 'keptPieces')
        redis.call('HSET', KEYS[1], 'seq', ARGV[3], 'instant', ARGV[4], 'name', ARGV[5], 'lead', '0', 'bytes', '0',
            'set', ARGV[9], 'seen', ARGV[13], 'period', ARGV[10], 'epoch', ARGV[11], 'format', ARGV[12],
            'sessions', now[1])
        for i = 1, 3, 2 do
            if known[i] then drop(ARGV[1] .. known[i] .. ':', tonumber(known[i + 1]) or 0) end
        end
        for i = 2, 7 do redis.call('UNLINK', KEYS[i]) end
        redis.call('HSET', KEYS[6], 'slot', ARGV[2], 'sequence', ARGV[3], 'instant', ARGV[4], 'name', ARGV[5],
            'digest', ARGV[6], 'pieces', ARGV[7], 'mark', '0', 'size', ARGV[8], 'written', ARGV[13], 'set', ARGV[9],
            'keptSlot', '', 'keptPieces', '0')
        keep(stem, count)
        return 1
        """
}
