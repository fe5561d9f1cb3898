import { offsetAt, type Transition, toInstant } from '../../../engine/time-zones.ts'
import type { Component } from './components.ts'
import type { CheckCost, ZoneWork } from './cost.ts'
import { readLine } from './lines.ts'
import { DAY } from './times.ts'
import { MAIN_ZONES } from './windows-zones.ts'
import { instantAmong, offsetAmong, readDefinition } from './zone-definitions.ts'
import { guessZone, offsetInName, zoneByName } from './zone-names.ts'

/** How the times of one TZID are to be read. */
export interface ZoneReading {
  /** An IANA name. */
  name: string
  toInstant: (wall: number) => number
  /** Nobody knows which zone was meant. */
  isGuess?: true
}

export interface Zones {
  byName: (name: string) => ZoneReading
  /** `wall` is when the event starts: a file's own definition is compared with the zones of the world around then. */
  byTzid: (tzid: string, wall: number, calendar: number, repeats: boolean) => ZoneReading
}

interface Definition {
  changes: Transition[] | undefined
  /** What the VTIMEZONE itself says that it stands for. */
  location: string | undefined
}

interface Options {
  /** The zone of what says no other, and the first choice where several would do. */
  timezone: string
  definitionOf: (tzid: string, calendar: number) => Component | undefined
  checkCost?: CheckCost | undefined
}

const WEEK = 7 * DAY

/** A zone that differs from a file's definition in more of the weeks is another zone. */
const ALIKE = 0.95

/** A search compares a definition with all the zones there are; a file of many years may not ask for that without end. */
const MOST_SEARCHES = 100

export const createZones = ({ timezone, definitionOf, checkCost }: Options): Zones => {
  const named = new Map<string, string | undefined>()
  const definitions = new Map<string, Definition>()
  const searches = new Map<string, string | undefined>()

  const remember = <T>(memo: Map<string, T>, key: string, find: () => T, work?: ZoneWork): T => {
    if (!memo.has(key)) {
      if (work) checkCost?.(work)
      memo.set(key, find())
    }
    return memo.get(key) as T
  }

  const byName = (name: string): ZoneReading => ({ name, toInstant: (wall) => toInstant(wall, name) })

  const definition = (tzid: string, calendar: number): Definition =>
    remember(definitions, `${calendar} ${tzid}`, () => {
      const component = definitionOf(tzid, calendar)
      return {
        changes: component && readDefinition(component),
        location: component && locationOf(component),
      }
    })

  const search = (changes: Transition[], key: string, wall: number, repeats: boolean): ZoneReading => {
    const instant = instantAmong(changes, wall)
    const wanted = `${key} ${new Date(wall).getUTCFullYear()} ${repeats}`
    const mayLook = searches.has(wanted) || searches.size < MOST_SEARCHES
    const found = mayLook
      ? remember(
          searches,
          wanted,
          () => findAlike(changes, instant, repeats, [timezone, ...MAIN_ZONES]),
          'search',
        )
      : undefined
    if (found !== undefined && offsetAt(instant, found) === wall - instant) return byName(found)
    return { name: 'UTC', toInstant: (other) => instantAmong(changes, other) }
  }

  return {
    byName,

    byTzid: (tzid, wall, calendar, repeats) => {
      const known = remember(named, tzid, () => zoneByName(tzid), 'name')
      if (known !== undefined) return byName(known)
      const { changes, location } = definition(tzid, calendar)
      if (location !== undefined) return byName(location)
      if (changes) return search(changes, `${calendar} ${tzid}`, wall, repeats)
      const guess = remember(named, `? ${tzid}`, () => guessZone(tzid), 'name')
      if (guess !== undefined) return byName(guess)
      const offset = offsetInName(tzid)
      if (offset === undefined) return { ...byName(timezone), isGuess: true }
      return search([{ at: Number.NEGATIVE_INFINITY, before: offset, after: offset }], tzid, wall, repeats)
    },
  }
}

const locationOf = ({ lines }: Component): string | undefined => {
  for (const raw of lines) {
    const line = readLine(raw)
    if (line?.name === 'X-LIC-LOCATION' || line?.name === 'TZURL') {
      const zone = zoneByName(line.value)
      if (zone !== undefined) return zone
    }
  }
  return undefined
}

/**
 * The first zone whose clocks agree with the definition every week: half a year around the instant, and three years
 * ahead for what repeats. Else the one that agrees most, if that is nearly always; what repeats needs some zone, for
 * its days are those of local clocks.
 */
const findAlike = (
  changes: Transition[],
  instant: number,
  repeats: boolean,
  candidates: string[],
): string | undefined => {
  const offset = offsetAmong(changes, instant)
  const weeks = Array.from({ length: repeats ? 182 : 52 }, (_, week) => {
    const at = instant + (week - 26) * WEEK
    return { at, offset: offsetAmong(changes, at) }
  })
  let best: string | undefined
  let bestScore = repeats ? 0 : ALIKE
  for (const zone of candidates) {
    if (offsetAt(instant, zone) !== offset) continue
    const alike = weeks.filter((week) => offsetAt(week.at, zone) === week.offset).length / weeks.length
    if (alike === 1) return zone
    if (alike > bestScore) {
      best = zone
      bestScore = alike
    }
  }
  return best
}
