/** Offset from UTC in minutes at `at`. */
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

/** Whether this browser supports the time zone. A browser without a zone may report `Etc/Unknown`. */
export const isSupportedTimeZone = (timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

/** Whether two time zones have the same offset all year. One may be an alias of the other. */
export const haveSameOffsets = (one: string, other: string, now = new Date()): boolean => {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(now.getUTCFullYear(), month, 15)))
  return [now, ...months].every((at) => offsetAt(one, at) === offsetAt(other, at))
}

export const toCityName = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
