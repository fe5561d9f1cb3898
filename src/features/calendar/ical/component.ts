/** The lines of a component, and the lines of each nested component including BEGIN and END. */
export interface Component {
  lines: string[]
  inner: string[][]
}

/**
 * The time zone work that is about to start: resolve a name, or search for the IANA zone with the same rules.
 */
export type ZoneWork = 'name' | 'search'

/** Called before the work starts. May throw `CostlyCalendar`. */
export type CheckCost = (work: ZoneWork) => void
