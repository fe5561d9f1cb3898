import { readSections } from '../lexicon/sections.ts'
import { dayOf, findEaster, nthWeekday, weekdayOf } from './calendar.ts'

/*
 * Holidays of lunar calendars in a Gregorian year, as days since 1970. The Hebrew calendar is computed
 * exactly. The Chinese calendar needs astronomy. Its days are tabulated for some decades. Outside the table
 * they repeat every 19 years, which is accurate to within a day. The Islamic calendar is not supported: it
 * depends on moon sightings, and arithmetic is too often a day off.
 */

type Finder = (year: number) => number

const UNIX_RD = 719_163

const countDaysElapsed = (year: number): number => {
  const months = Math.floor((235 * year - 234) / 19)
  const day = 29 * months + Math.floor((12_084 + 13_753 * months) / 25_920)
  return (3 * (day + 1)) % 7 < 3 ? day + 1 : day
}

/** Returns 1 Tishri of a Hebrew year, after the four postponements. */
const tishri = (year: number): number => {
  const [before, own, after] = [
    countDaysElapsed(year - 1),
    countDaysElapsed(year),
    countDaysElapsed(year + 1),
  ]
  const postponement = after - own === 356 ? 2 : own - before === 382 ? 1 : 0
  return -1_373_427 + own + postponement - UNIX_RD
}

const roshHashanah = (year: number): number => tishri(year + 3761)
/** 15 Nisan always precedes the next new year by 163 days. */
const passover = (year: number): number => roshHashanah(year) - 163
/** Returns 25 Kislev. The preceding month Cheshvan has 29 or 30 days. */
const hanukkah = (year: number): number => {
  const start = roshHashanah(year)
  const isLong = (roshHashanah(year + 1) - start) % 10 === 5
  return start + 30 + (isLong ? 30 : 29) + 24
}

const FIRST_TABULATED_YEAR = 2000
const NEW_YEARS =
  '35 23 42 31 21 39 28 48 37 25 44 33 22 40 30 49 38 27 46 35 24 42 31 21 40 28 47 37 25 43 32 22 41 30 49 38 27 45 34 23 42 31 21 40 29 47 36 25 44 32 22 41 31 49 38 27 45 34 23 42 32'
const MID_AUTUMNS =
  '255 273 263 253 271 260 278 267 257 275 264 254 273 261 250 269 258 276 266 255 274 263 252 271 260 278 267 257 276 264 254 273 262 250 269 258 277 266 255 274 263 252 270 259 278 267 257 276 265 253 272 261 250 268 258 277 267 255 274 263 252'

const fromTable = (days: string) => {
  const list = days.split(' ').map(Number)
  return (year: number): number => {
    const at = year - FIRST_TABULATED_YEAR
    const known = list[at] ?? list[((at % 19) + 19) % 19] ?? 0
    return dayOf(year, 1, 1) + known
  }
}

const chineseNewYear = fromTable(NEW_YEARS)
const midAutumn = fromTable(MID_AUTUMNS)

/** Easter Sunday of the Orthodox churches, by the Julian calendar. */
const orthodoxEaster = (year: number): number => {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const month = Math.floor((d + e + 114) / 31)
  const julian = dayOf(year, month, ((d + e + 114) % 31) + 1)
  return julian + Math.floor(year / 100) - Math.floor(year / 400) - 2
}

/** Finds the last given weekday before a day of the year. */
const lastBefore = (year: number, month: number, day: number, weekday: number): number => {
  const eve = dayOf(year, month, day) - 1
  return eve - ((weekdayOf(eve) - weekday + 7) % 7)
}

const COMPUTED: Readonly<Record<string, (year: number, ...numbers: number[]) => number>> = {
  date: dayOf,
  weekday: nthWeekday,
  before: lastBefore,
  easter: findEaster,
  'orthodox-easter': orthodoxEaster,
  'chinese-new-year': chineseNewYear,
  'mid-autumn': midAutumn,
  'rosh-hashanah': roshHashanah,
  hanukkah,
  passover,
}

/** Parses a rule such as `weekday 11 4 4 +1`: the day after the fourth Thursday of November. */
const parseRule = (rule: string): Finder => {
  const [name = '', ...rest] = rule.split(' ')
  const find = COMPUTED[name]
  if (!find) throw new Error(`Unknown rule of a holiday: ${rule}`)
  const numbers = rest.map(Number)
  const days = numbers[find.length - 1] ?? 0
  return (year) => find(year, ...numbers) + days
}

interface Holiday {
  words: readonly string[]
  day: Finder
}

const FILE = new URL('../lexicon/holidays.txt', import.meta.url)

const readHolidays = (): Map<string, Holiday[]> => {
  const holidays = new Map<string, Holiday[]>()
  for (const { heading, phrases } of readSections(FILE)) {
    const day = parseRule(heading)
    for (const name of phrases) {
      const words = name.replaceAll('-', ' - ').split(/ +/)
      const first = words[0] as string
      holidays.set(first, [...(holidays.get(first) ?? []), { words, day }])
    }
  }
  return holidays
}

let loaded: ReadonlyMap<string, readonly Holiday[]> | undefined

/** Loads the names on the first use. */
const getHolidays = (word: string): readonly Holiday[] => {
  loaded ??= readHolidays()
  return loaded.get(word) ?? []
}

export const isHolidayWord = (word: string): boolean => getHolidays(word).length > 0

/** Returns the holidays whose name starts at a token. */
export const holidaysAt = (
  texts: readonly { text: string }[],
  at: number,
): { length: number; day: Finder; name: string }[] =>
  getHolidays(texts[at]?.text ?? '')
    .filter(({ words }) => words.every((word, index) => texts[at + index]?.text === word))
    .map(({ words, day }) => ({ length: words.length, day, name: words.join(' ') }))
