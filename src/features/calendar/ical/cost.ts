/** Thrown by a parser with a cost limit when the file may take long to parse. */
export class CostlyCalendar extends Error {
  constructor() {
    super('This calendar may take long to parse.')
    this.name = 'CostlyCalendar'
  }
}

/**
 * The time zone work that is about to start: resolve a name, or search for the IANA zone with the same rules.
 */
export type ZoneWork = 'name' | 'search'

/** Called before the work starts. May throw `CostlyCalendar`. */
export type CheckCost = (work: ZoneWork) => void

/** A small file with few zones takes a few milliseconds at most. */
const MAX_SMALL_LENGTH = 16 * 1024
/** The first use of a zone takes one or two milliseconds. */
const MAX_ZONES = 4

export const isSmall = (text: { length: number }): boolean => text.length <= MAX_SMALL_LENGTH

/** Permits only work that takes a few milliseconds. */
export const createCostCheck = (): CheckCost => {
  let names = 0
  return (work) => {
    if (work === 'search' || ++names > MAX_ZONES) throw new CostlyCalendar()
  }
}
