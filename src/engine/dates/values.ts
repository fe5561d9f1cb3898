/** Units of time, small to large; a value has the grain of the smallest unit that it states. */
export type Unit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'weekend'
  | 'week'
  | 'month'
  | 'quarter'
  | 'half'
  | 'season'
  | 'year'
  | 'decade'
  | 'century'

/** What is stated of a date. Without a year, the nearest one to come is meant. */
export interface Fields {
  is: 'fields'
  y?: number
  m?: number
  d?: number
  /** ISO weekday. */
  dow?: number
  /** 1: "next", after today; -1: "last", before today; 0: "this", of the current year. */
  toward?: -1 | 0 | 1
  /** A day and month in digits, as "5/12" is; read the other way round where this way does not exist. */
  digits?: true
}

/** The days [from, to). */
export interface Days {
  is: 'days'
  from: number
  to: number
  grain: Unit
  /** "the next 3 weeks": that many units, counted from now. */
  count?: number
  /** "within 3 days": the day on which they are over is one of them. */
  within?: true
  edge?: Edge
  /** A name that stands for the days, as "christmas" does. */
  name?: string
}

export type DatePart = Fields | Days
export type Edge = 'start' | 'middle' | 'end'

export interface Clock {
  is: 'clock'
  h: number
  mi: number
  s?: number
  /** Might as well be twelve hours later. */
  either?: true
  grain: Unit
  /** Days after the date that is stated with it, as in "23:05-07:15+1". */
  plus?: number
  /** "3 or 4pm": the other one. */
  or?: Clock
}

export type PartName =
  | 'morning'
  | 'noon'
  | 'afternoon'
  | 'evening'
  | 'night'
  | 'breakfast'
  | 'lunch'
  | 'dinner'
  | 'daytime'
  | 'nighttime'
  | 'business'

export interface DayPart {
  is: 'part'
  name: PartName
  /** "early", "late". */
  edge?: Edge
}

export interface ClockRange {
  is: 'range'
  a: Clock
  b: Clock
}

export type TimePart = Clock | DayPart | ClockRange
export type Bound = 'before' | 'until' | 'after' | 'since' | 'by'

/** Everything an expression says about one time or stretch of time. */
export interface When {
  date?: DatePart
  time?: TimePart
  /** The other end, when it has a date of its own. */
  to?: When
  bound?: Bound
  around?: true
  zone?: Zone
  /** An amount from now, as it was said: "in 2 hours". */
  shift?: Duration
  /** Understood only beside something else: a bare year, "the 3rd" in some texts, "second". */
  weak?: true
}

export interface Zone {
  /** As written. */
  text: string
  /** IANA name; "" for the reader's own ("my time"). */
  name?: string
  /** East of UTC, where the text fixes it. */
  minutes?: number
}

/** Amounts by unit; a month has no length in days. */
export interface Duration {
  months: number
  days: number
  seconds: number
  /** The unit it was said in. */
  unit: Unit
  n: number
  business?: true
  around?: 'less' | 'more' | 'about'
}

/** RFC 5545 recurrence, and what happens at it. */
export interface Recurring {
  rule: string
  date?: DatePart
  time?: TimePart
  /** All hours of the day, where there are several; `time` is the one that was named first. */
  hours?: readonly number[]
  until?: When
  /** For how long, from the first time on. */
  lasting?: Duration
  from?: When
  zone?: Zone
  /** How long it takes each time. */
  length?: Duration
}
