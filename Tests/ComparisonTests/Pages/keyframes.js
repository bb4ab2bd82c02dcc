// What the browser shows of a length along each list of keyframes, at each of its times. Here an easing belongs to the way
// that leaves its keyframe: each stands with the one before.
function answer(ways) {
    const element = document.body.appendChild(document.createElement("div"))
    const style = getComputedStyle(element)
    return ways.map(({ start, frames, duration, iterations, direction, times }) => {
        const all = [{ value: start, offset: 0 }, ...frames]
        const list = all.map(({ value, offset }, index) => ({
            left: `${value * 1000}px`, offset: offset ?? null, easing: all[index + 1]?.easing ?? "linear",
        }))
        list[list.length - 1].offset = 1
        const animation = element.animate(list, { duration, iterations, direction, fill: "both" })
        animation.pause()
        const lengths = times.map((time) => {
            animation.currentTime = time
            return parseFloat(style.left)
        })
        animation.cancel()
        return lengths
    })
}
