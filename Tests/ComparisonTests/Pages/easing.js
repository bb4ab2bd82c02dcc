// What the browser shows of each effect at each of its times: the eased progress, the cycle, and an animated length.
function answer(effects) {
    const element = document.body.appendChild(document.createElement("div"))
    const style = getComputedStyle(element)
    return effects.map(({ timing, playbackRate, times }) => {
        // JSON has no infinity.
        const animation = element.animate({ left: ["0px", "1000000px"] },
            { ...timing, iterations: timing.iterations ?? Infinity })
        animation.pause()
        animation.playbackRate = playbackRate
        const moments = times.map((time) => {
            animation.currentTime = time
            const { progress, currentIteration } = animation.effect.getComputedTiming()
            return { progress, cycle: isFinite(currentIteration) ? currentIteration : -1, left: parseFloat(style.left) }
        })
        animation.cancel()
        return moments
    })
}
