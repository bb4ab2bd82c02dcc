// What the browser shows after each operation of each session. Its timeline stands still while a script runs: time passes
// by moving the start of what plays.

// Milliseconds by which roundings may be off.
const TOLERANCE = 1e-6

function answer(sessions) {
    const element = document.body.appendChild(document.createElement("div"))
    return sessions.map(({ timing, playbackRate, steps }) => {
        const animation = element.animate({ left: ["0px", "1000000px"] },
            { ...timing, iterations: timing.iterations ?? Infinity })
        animation.playbackRate = playbackRate
        animation.currentTime = 0
        start(animation, playbackRate)
        const moments = steps.map(({ operation, number }) => {
            let isRefused = false
            try { operate(animation, operation, number) } catch { isRefused = true }
            return { isRefused, currentTime: animation.currentTime, playState: animation.playState }
        })
        animation.cancel()
        return moments
    })
}

function operate(animation, operation, number) {
    const { playbackRate } = animation
    switch (operation) {
        case "wait": return wait(animation, number)
        case "seek": animation.currentTime = number; break
        case "rate": animation.playbackRate = number; break
        default:
            if (operation === "play" || operation === "reverse") settle(animation)
            animation[operation]()
    }
    // A reversal is pending, too: until it starts, the rate is the one before.
    start(animation, operation === "reverse" ? -playbackRate : animation.playbackRate)
}

// What starts at the end goes to the other one, which must not depend on how a start time is rounded: it is put just past
// it. An end of 0 is exact.
function settle(animation) {
    const { endTime } = animation.effect.getComputedTiming()
    if (endTime === 0 || !(Math.abs(animation.currentTime - endTime) < TOLERANCE)) return
    animation.startTime = null
    animation.currentTime = endTime + TOLERANCE
}

// What plays or is paused would be so with the next frame; here it is at once. Except at an end, which a start time would
// miss by a rounding: there it keeps its time until it leaves.
function start(animation, rate) {
    const { pending, playState, currentTime } = animation
    if (!pending) return
    if (playState === "paused") return void (animation.startTime = null)
    const { endTime } = animation.effect.getComputedTiming()
    const isAtEnd = Math.abs(currentTime) < TOLERANCE || Math.abs(currentTime - endTime) < TOLERANCE
    if (rate === 0 || isAtEnd) return void (animation.playbackRate = rate)
    animation.startTime = document.timeline.currentTime - currentTime / rate
}

function wait(animation, milliseconds) {
    const { playState, playbackRate, currentTime } = animation
    if (playState !== "running" || playbackRate === 0) return
    const time = currentTime + milliseconds * playbackRate
    const end = playbackRate > 0 ? animation.effect.getComputedTiming().endTime : 0
    if (playbackRate > 0 ? time >= end : time <= end) return animation.finish()
    animation.startTime = document.timeline.currentTime - time / playbackRate
}
