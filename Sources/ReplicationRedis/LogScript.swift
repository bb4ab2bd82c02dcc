// What the server does in one go, so that no two replicas come between: entries get their numbers and instants there.

import RedisLink

/// Everything that is done in one go.
enum LogScript: Int, CaseIterable, Sendable {
    case open, append, beat, resetClock, commit, leave

    private static let all = allCases.map { RedisScript(name: "\($0)", source: $0.source) }

    /// The script as it is sent.
    var script: RedisScript { Self.all[rawValue] }

    /// The board's keys, in the order in which scripts have them.
    static func keys(of address: RedisAddress) -> [[UInt8]] {
        ["head", "log", "sessions", "members", "lease", "snapshot"].map { address.bytes($0) }
    }

    private var source: String {
        switch self {
        case .open: Self.sameFormat + Self.time + Self.write + Self.openSource
        case .append: Self.time + Self.fence + Self.write + Self.appendSource
        case .beat: Self.time + Self.fence + Self.beatSource
        case .resetClock: Self.time + Self.fence + Self.write + Self.resetClockSource
        case .commit: Self.time + Self.fence + Self.piecesOfSnapshots + Self.commitSource
        case .leave: Self.leaveSource
        }
    }

    /// The log's time, in microseconds: the server's, but never more than a second before the last entry. `lead` is by how
    /// much it is ahead of the server's clock since that was set back.
    private static let time = """
        local function number(text) return tonumber(text or '0') end
        local function text(number) return string.format('%.0f', number) end
        local head = redis.call('HMGET', KEYS[1], 'seq', 'instant', 'name', 'lead')
        local seq, last, name, lead = head[1], number(head[2]), head[3], number(head[4])
        local now = redis.call('TIME')
        now = number(now[1]) * 1000000 + number(now[2])
        local clock = now + lead
        if seq and clock < last - 1000000 then
            lead = last - now
            clock = last
            redis.call('HSET', KEYS[1], 'lead', text(lead))
        end

        """

    /// A replica whose connection was lost begins another session: what it sent over the old one counts no more, however
    /// late it comes.
    private static let fence = """
        if not seq then return redis.error_reply('GONE the board is not here') end
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

    /// Nothing is touched of a board that another version wrote, in another format.
    private static let sameFormat = """
        local format = redis.call('HGET', KEYS[1], 'format')
        if format ~= ARGV[8] and redis.call('EXISTS', KEYS[1]) == 1 then return {format or '0'} end

        """

    /// replica, period, epoch, make, history, name, payload, format: makes the board where there is none and it may be made, and
    /// begins a session. No two have the same number: one that was taken for gone, and is forgotten, may still have sent what
    /// comes late. Where the server's history is another one the log may have lost its end, which was told to listeners: the
    /// first to come begins a new log of events, before an entry of those that had less could tell others under the same ids.
    private static let openSource = """
        if not seq and ARGV[4] ~= '1' then return redis.error_reply('GONE the board is not here any more') end
        if not seq then
            redis.call('HSET', KEYS[1], 'seq', '0', 'instant', '0', 'name', '0', 'lead', '0', 'bytes', '0',
                'period', ARGV[2], 'epoch', ARGV[3], 'format', ARGV[8])
            seq, name = '0', '0'
        end
        if ARGV[5] ~= '' then
            local history = redis.call('HGET', KEYS[1], 'history')
            if history and history ~= ARGV[5] then seq = write(math.max(last + 1, clock), ARGV[6], ARGV[7]) end
            redis.call('HSET', KEYS[1], 'history', ARGV[5])
        end
        local session = redis.call('HINCRBY', KEYS[1], 'sessions', 1)
        redis.call('HSET', KEYS[3], ARGV[1], text(session))
        local board = redis.call('HMGET', KEYS[1], 'period', 'epoch')
        return {text(session), seq, text(clock), board[1], board[2]}
        """

    /// replica, session, name, payload, due: an entry; nothing where it isn't wanted any more.
    private static let appendSource = """
        if ARGV[5] ~= '' and last > number(ARGV[5]) then return {'0', text(clock)} end
        return {write(math.max(last + 1, clock), ARGV[3], ARGV[4]), text(clock)}
        """

    /// replica, session, report, lease, silence, able: says that the replica is there, and tells who else is; one that is
    /// able to may become, or stay, the steward. Where the server's
    /// clock was set back, what was written by it before lies ahead: it counts from now on, else the steward's office and the
    /// names of those that are gone would stay for as long as the clock was set back by.
    private static let beatSource = """
        if redis.call('PTTL', KEYS[5]) > number(ARGV[4]) then redis.call('PEXPIRE', KEYS[5], ARGV[4]) end
        redis.call('HSET', KEYS[4], ARGV[1], text(now) .. ' ' .. ARGV[3])
        local holder = redis.call('GET', KEYS[5])
        if holder == ARGV[1] and ARGV[6] == '0' then
            redis.call('DEL', KEYS[5])
            holder = false
        end
        if holder == ARGV[1] or not holder and ARGV[6] == '1' then
            redis.call('SET', KEYS[5], ARGV[1], 'PX', ARGV[4])
            holder = ARGV[1]
        end
        local members = redis.call('HGETALL', KEYS[4])
        for i = 1, #members, 2 do
            local seen = number(string.match(members[i + 1], '^%d+'))
            if seen > now then
                redis.call('HSET', KEYS[4], members[i], (string.gsub(members[i + 1], '^%d+', text(now), 1)))
            end
            if now - seen > number(ARGV[5]) * 10 then
                redis.call('HDEL', KEYS[4], members[i])
                redis.call('HDEL', KEYS[3], members[i])
            end
        end
        local bytes = redis.call('HGET', KEYS[1], 'bytes')
        local snapshot = redis.call('HMGET', KEYS[6], 'sequence', 'mark', 'size', 'written')
        return {text(clock), text(now), seq, text(last), name, text(lead), holder, members, bytes, snapshot}
        """

    /// replica, session, name, payload, lead: the log's time is the server's again.
    private static let resetClockSource = """
        if lead == 0 or text(lead) ~= ARGV[5] then return {'0', text(clock)} end
        redis.call('HSET', KEYS[1], 'lead', '0')
        return {write(now, ARGV[3], ARGV[4]), text(now)}
        """

    /// Of a set of pieces by what their keys begin with: whether all are there, that they last, that they go. Whoever calls
    /// them writes something before that a server without memory refuses, so that nothing is done by halves.
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
            for i = 0, count - 1 do redis.call('UNLINK', stem .. i) end
        end

        """

    /// replica, session, place, slot, sequence, instant, name, digest, pieces, mark, size: pieces that were written are the
    /// newest snapshot. The one before, and the log behind that, stay for whoever reads them just now.
    private static let commitSource = """
        local known = redis.call('HMGET', KEYS[6], 'sequence', 'slot', 'pieces', 'keptSlot', 'keptPieces')
        local before, slot, pieces, kept, keptPieces = known[1], known[2], known[3], known[4], known[5]
        if before and number(before) >= number(ARGV[5]) then return redis.error_reply('OLD a newer one is there') end
        local stem = ARGV[3] .. ARGV[4] .. ':'
        if not areThere(stem, number(ARGV[9])) then
            return redis.error_reply('LATE it took too long: the first pieces have gone')
        end
        redis.call('HSET', KEYS[6], 'slot', ARGV[4], 'sequence', ARGV[5], 'instant', ARGV[6], 'name', ARGV[7],
            'digest', ARGV[8], 'pieces', ARGV[9], 'mark', ARGV[10], 'size', ARGV[11], 'written', text(clock),
            'keptSlot', slot or '', 'keptPieces', pieces or '0')
        keep(stem, number(ARGV[9]))
        if kept then drop(ARGV[3] .. kept .. ':', number(keptPieces)) end
        if before then redis.call('XTRIM', KEYS[2], 'MAXLEN', text(number(seq) - number(before))) end
        return 1
        """

    /// replica, session: it is gone.
    private static let leaveSource = """
        if redis.call('HGET', KEYS[3], ARGV[1]) == ARGV[2] then
            redis.call('HDEL', KEYS[3], ARGV[1])
            redis.call('HDEL', KEYS[4], ARGV[1])
            if redis.call('GET', KEYS[5]) == ARGV[1] then redis.call('DEL', KEYS[5]) end
        end
        return 1
        """
}
