export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Points that a finding costs its section, out of 100. */
export const COST: Readonly<Record<Severity, number>> = {
  critical: 50,
  high: 25,
  medium: 12,
  low: 5,
  info: 0,
}

export interface Finding {
  /** Name of the check. Each check reports at most one finding. */
  check: string
  severity: Severity
  text: string
  /** Quoted from the page or its headers. "" if something is missing. */
  evidence: string
  /** The recommendation. "" if no action is needed. */
  remedy: string
}

const LONGEST_EVIDENCE = 240
const MOST_PLACES = 3

export interface Place {
  from: number
  to: number
}

/** Quotes the first few places, one per line. */
export const quoteFrom = (html: string, places: readonly Place[]): string =>
  places
    .slice(0, MOST_PLACES)
    .map(({ from, to }) => html.slice(from, Math.min(to, from + LONGEST_EVIDENCE)).toWellFormed())
    .join('\n')

export const quoteText = (text: string): string => text.slice(0, LONGEST_EVIDENCE).toWellFormed()

/** Formats an amount with its noun: "1 image has", "7 images have". */
export const count = (amount: number, one: string, more: string): string =>
  `${amount} ${amount === 1 ? one : more}`

export const SECTION_KEYS = [
  'metadata',
  'headings',
  'accessibility',
  'links',
  'structured-data',
  'social',
  'robots',
  'security',
  'weight',
] as const
export type SectionKey = (typeof SECTION_KEYS)[number]
