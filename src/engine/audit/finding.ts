export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What each costs its section, of 100 points. */
export const COST: Readonly<Record<Severity, number>> = {
  critical: 50,
  high: 25,
  medium: 12,
  low: 5,
  info: 0,
}

export interface Finding {
  /** Which check it is from; a check speaks up once. */
  check: string
  severity: Severity
  text: string
  /** Word for word from the page or its headers; "" for what is absent. */
  evidence: string
  /** What to do about it; "" where nothing is to be done. */
  remedy: string
}

const LONGEST_EVIDENCE = 240
const MOST_PLACES = 3

export interface Place {
  from: number
  to: number
}

/** The first few places, one a line, as they stand in the source. */
export const quoteFrom = (html: string, places: readonly Place[]): string =>
  places
    .slice(0, MOST_PLACES)
    .map(({ from, to }) => html.slice(from, Math.min(to, from + LONGEST_EVIDENCE)).toWellFormed())
    .join('\n')

export const quoteText = (text: string): string => text.slice(0, LONGEST_EVIDENCE).toWellFormed()

/** "1 image has", "7 images have". */
export const count = (amount: number, one: string, more: string): string =>
  `${amount} ${amount === 1 ? one : more}`
