import type { Clock, ClockRange, DayPart, TimePart } from './values.ts'

const withHour = (clock: Clock, h: number): Clock => {
  const { either: _, ...rest } = clock
  return { ...rest, h }
}

const toPm = (clock: Clock): Clock => withHour(clock, clock.h === 12 ? 12 : clock.h + 12)
const toAm = (clock: Clock): Clock => withHour(clock, clock.h === 12 ? 0 : clock.h)

export const withMeridiem = (clock: Clock, half: 'am' | 'pm'): Clock | undefined => {
  if (clock.h > 12 || clock.h === 0)
    return half === 'pm' || clock.h === 0 ? withHour(clock, clock.h) : undefined
  return half === 'am' ? toAm(clock) : toPm(clock)
}

const toMinutes = (clock: Clock): number => clock.h * 60 + clock.mi + (clock.s ?? 0) / 60

/** Picks the likely half of the day: "4" is in the afternoon, "9" in the morning. */
export const pickLikelyHalf = (clock: Clock): Clock => {
  if (!clock.either) return clock
  if (clock.h === 12) return withHour(clock, 12)
  return clock.h < 8 ? toPm(clock) : toAm(clock)
}

const inPart = (clock: Clock, { name }: DayPart): Clock | undefined => {
  if (!clock.either) return clock
  switch (name) {
    case 'morning':
    case 'breakfast':
      return clock.h === 12 ? undefined : toAm(clock)
    case 'night':
    case 'nighttime':
      // "3 at night" is early in the morning.
      if (clock.h === 12) return withHour(clock, 24)
      return clock.h < 5 ? toAm(clock) : toPm(clock)
    case 'lunch':
    case 'noon':
    case 'daytime':
    case 'business':
      return clock.h >= 8 && clock.h < 12 ? toAm(clock) : toPm(clock)
    default:
      return toPm(clock)
  }
}

/** Resolves ambiguous ends to the shortest range that runs forward. */
export const resolveRange = ({ a, b }: ClockRange): ClockRange => {
  let [start, end] = [a, b]
  if (!start.either && !end.either) return { is: 'range', a: start, b: end }
  if (!end.either && start.either) {
    const preceding = [toPm(start), toAm(start)].find((clock) => toMinutes(clock) < toMinutes(end))
    return { is: 'range', a: preceding ?? toAm(start), b: end }
  }
  // "9 to 6" is a working day, "6 to 9" an evening.
  if (start.either)
    start = start.h < 7 || start.h === 12 || (start.h === 7 && end.h > 7) ? toPm(start) : toAm(start)
  const next = [toAm(end), toPm(end)].find((clock) => toMinutes(clock) > toMinutes(start))
  end = next ?? toAm(end)
  return { is: 'range', a: start, b: end }
}

/** Merges two adjacent times such as "7" and "tonight". Returns undefined if they contradict. */
export const mergeTimes = (a: TimePart, b: TimePart): TimePart | undefined => {
  if (a.is === 'part' && b.is === 'part') return undefined
  if (a.is === 'part') return mergeTimes(b, a)
  if (b.is !== 'part') return undefined
  if (a.is === 'clock') return inPart(a, b)
  // The part of the day fixes the end. `resolveRange` derives the start from it.
  const end = inPart(a.b, b)
  return end ? { is: 'range', a: a.a, b: end } : undefined
}
