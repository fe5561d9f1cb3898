/** What the clocks of a zone show at an instant, as fields for date and time write it: 2026-03-01T14:00. */
export const wallOf = (instant: string | Date, timeZone: string): string => {
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

/** The instant at which the clocks of a zone show `wall`; in an hour that they skip, as if they had not. */
export const instantOf = (wall: string, timeZone: string): string => {
  const wanted = asUtc(wall)
  // The offset before a change of clocks and the one after it: the first that leads back to the time that was meant.
  const tries = [wanted - 86_400_000, wanted + 86_400_000].map(
    (near) => wanted - (asUtc(wallOf(new Date(near), timeZone)) - Math.floor(near / 60_000) * 60_000),
  )
  const [before = wanted] = tries
  const right = tries.find((instant) => asUtc(wallOf(new Date(instant), timeZone)) === wanted)
  return new Date(right ?? before).toISOString()
}

/** The day, as it is written: 2026-03-01. */
export const dayOf = (instant: string | Date, timeZone: string): string =>
  wallOf(instant, timeZone).slice(0, 10)

/** `count` days later. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10)
