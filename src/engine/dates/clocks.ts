import type { Clock, ClockRange, DayPart, TimePart } from './values.ts'

const fix = (clock: Clock, h: number): Clock => {
  const { either: _, ...rest } = clock
  return { ...rest, h }
}

const later = (clock: Clock): Clock => fix(clock, clock.h === 12 ? 12 : clock.h + 12)
const earlier = (clock: Clock): Clock => fix(clock, clock.h === 12 ? 0 : clock.h)

export const withMeridiem = (clock: Clock, half: 'am' | 'pm'): Clock | undefined => {
  if (clock.h > 12 || clock.h === 0) return half === 'pm' || clock.h === 0 ? fix(clock, clock.h) : undefined
  return half === 'am' ? earlier(clock) : later(clock)
}

const minutes = (clock: Clock): number => clock.h * 60 + clock.mi + (clock.s ?? 0) / 60

/** A meeting at "4" is in the afternoon, at "9" in the morning. */
export const likely = (clock: Clock): Clock => {
  if (!clock.either) return clock
  if (clock.h === 12) return fix(clock, 12)
  return clock.h < 8 ? later(clock) : earlier(clock)
}

const inPart = (clock: Clock, { name }: DayPart): Clock | undefined => {
  if (!clock.either) return clock
  switch (name) {
    case 'morning':
    case 'breakfast':
      return clock.h === 12 ? undefined : earlier(clock)
    case 'night':
    case 'nighttime':
      // Three at night is before dawn.
      if (clock.h === 12) return fix(clock, 24)
      return clock.h < 5 ? earlier(clock) : later(clock)
    case 'lunch':
    case 'noon':
    case 'daytime':
    case 'business':
      return clock.h >= 8 && clock.h < 12 ? earlier(clock) : later(clock)
    default:
      return later(clock)
  }
}

/** Where both readings of an end are open, the stretch is the shortest that goes forward. */
export const settleRange = ({ a, b }: ClockRange): ClockRange => {
  let [start, end] = [a, b]
  if (!start.either && !end.either) return { is: 'range', a: start, b: end }
  if (!end.either && start.either) {
    const near = [later(start), earlier(start)].find((clock) => minutes(clock) < minutes(end))
    return { is: 'range', a: near ?? earlier(start), b: end }
  }
  // "9 to 6" is a day's work, "6 to 9" an evening.
  if (start.either)
    start = start.h < 7 || start.h === 12 || (start.h === 7 && end.h > 7) ? later(start) : earlier(start)
  const next = [earlier(end), later(end)].find((clock) => minutes(clock) > minutes(start))
  end = next ?? earlier(end)
  return { is: 'range', a: start, b: end }
}

/** One time out of two that stand together, as "7" and "tonight" do; undefined when they contradict. */
export const mergeTimes = (a: TimePart, b: TimePart): TimePart | undefined => {
  if (a.is === 'part' && b.is === 'part') return undefined
  if (a.is === 'part') return mergeTimes(b, a)
  if (b.is !== 'part') return undefined
  if (a.is === 'clock') return inPart(a, b)
  // The end says which half of the day; the start follows when the range is settled.
  const end = inPart(a.b, b)
  return end ? { is: 'range', a: a.a, b: end } : undefined
}
