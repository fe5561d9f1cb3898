/** Local time of an instant in a time zone, in the format of datetime-local inputs: 2026-03-01T14:00. */
export const toLocalTime = (instant: string | Date, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(instant))
  const part = (type: string): string => parts.find((entry) => entry.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

const asUtc = (wall: string): number => Date.parse(`${wall}:00Z`)

/**
 * Instant of a local time in a time zone. A time skipped by daylight saving time uses the offset before the
 * change.
 */
export const instantOf = (wall: string, timeZone: string): string => {
  const wanted = asUtc(wall)
  // Tries the offsets before and after a clock change. The first that converts back to `wall` is correct.
  const tries = [wanted - 86_400_000, wanted + 86_400_000].map(
    (near) => wanted - (asUtc(toLocalTime(new Date(near), timeZone)) - Math.floor(near / 60_000) * 60_000),
  )
  const [before = wanted] = tries
  const right = tries.find((instant) => asUtc(toLocalTime(new Date(instant), timeZone)) === wanted)
  return new Date(right ?? before).toISOString()
}

/** The day as YYYY-MM-DD. */
export const dayOf = (instant: string | Date, timeZone: string): string =>
  toLocalTime(instant, timeZone).slice(0, 10)

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
