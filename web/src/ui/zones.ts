/** Minutes east of Greenwich at `at`. */
const offsetAt = (timeZone: string, at: Date): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((entry) => entry.type === type)?.value)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))
  return Math.round((wall - at.getTime()) / 60_000)
}

/** Whether this browser can tell the time there. One that does not know where it is may say `Etc/Unknown`. */
export const isZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** Whether two zones show the same time all year: one may only be another name for the other. */
export const areAlike = (one: string, other: string, now = new Date()): boolean => {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(now.getUTCFullYear(), month, 15)))
  return [now, ...months].every((at) => offsetAt(one, at) === offsetAt(other, at))
}

export const placeOf = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
