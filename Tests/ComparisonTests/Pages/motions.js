// The values that the viewer's modules compute for motions, beside the server's.
function answer(questions) {
    const doubles = (text) => new Float64Array(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0)).buffer)
    const found = { count: 0, equal: 0, worst: 0, description: "" }
    for (const { event, seconds, values, blurs } of questions) {
        const motion = new viewer.Motion(JSON.parse(event)), moments = doubles(seconds), shown = doubles(values)
        const blur = doubles(blurs)
        const reach = Math.max(...[motion.trajectory.from, motion.trajectory.to, ...shown].map(Math.abs))
        for (const [index, moment] of moments.entries()) {
            // Not by the time of day, whose doubles have no room for billionths of a second.
            const time = motion.elapsed + moment * motion.rate
            const { value } = motion.hasEnded(time) ? motion.rest() : motion.sampleAt(time, false)
            const difference = value === shown[index] ? 0 : Math.max(0, Math.abs(value - shown[index]) - blur[index]) / reach
            found.count += 1
            if (value === shown[index]) found.equal += 1
            if (difference > found.worst || Number.isNaN(difference)) {
                found.worst = Number.isNaN(difference) ? Infinity : difference
                found.description = `${value} for ${shown[index]} after ${moment} of ${event}`
            }
        }
    }
    return found
}
