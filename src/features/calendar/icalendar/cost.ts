/** Thrown by a reader that was asked to stop as soon as a file may take long to read. */
export class CostlyCalendar extends Error {
  constructor() {
    super('This calendar may take long to read.')
    this.name = 'CostlyCalendar'
  }
}

/** What of a time zone is about to be worked out: what its name means, or which zone of the world is like it. */
export type ZoneWork = 'name' | 'search'

/** Is told before the work is done. It may throw `CostlyCalendar`. */
export type CheckCost = (work: ZoneWork) => void

/** Small files with few zones take some milliseconds at most. */
const SMALL = 16 * 1024
/** A zone that was not used before takes a millisecond or two. */
const FEW_ZONES = 4

export const isSmall = (text: { length: number }): boolean => text.length <= SMALL

/** Allows what takes a few milliseconds. */
export const createCostCheck = (): CheckCost => {
  let names = 0
  return (work) => {
    if (work === 'search' || ++names > FEW_ZONES) throw new CostlyCalendar()
  }
}
