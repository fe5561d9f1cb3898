import { toInstant, toWall } from '../time-zones.ts'
import type { Moment } from './outcome.ts'
import type { Zone } from './values.ts'

const DAY = 86_400_000
const MINUTE = 60_000

/** On a wall clock, as if it were UTC, in ms. */
export const wallOf = ({ day, seconds }: Moment): number => day * DAY + (seconds ?? 0) * 1000

const momentOf = (wall: number): Moment => {
  const day = Math.floor(wall / DAY)
  return { day, seconds: Math.floor((wall - day * DAY) / 1000) }
}

/** "My time" is the reader's own. */
const isElsewhere = ({ name, minutes }: Zone): boolean => Boolean(name) || minutes !== undefined

/** What the clocks of a zone that a text names show when those of the reader show `wall`. */
export const wallThere = (wall: number, zone: Zone | undefined, timezone: string): number => {
  if (!zone || !isElsewhere(zone)) return wall
  const instant = toInstant(wall, timezone)
  return zone.minutes === undefined ? toWall(instant, zone.name as string) : instant + zone.minutes * MINUTE
}

/** A moment that was said in another zone, on the reader's own clock. A day is a day everywhere. */
export const atHome = (moment: Moment, zone: Zone | undefined, timezone: string): Moment => {
  if (moment.seconds === undefined || !zone || !isElsewhere(zone)) return moment
  const wall = wallOf(moment)
  const instant =
    zone.minutes === undefined ? toInstant(wall, zone.name as string) : wall - zone.minutes * MINUTE
  return momentOf(toWall(instant, timezone))
}
