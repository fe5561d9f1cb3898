import { dayOf } from './calendar.ts'

/*
 * Days of calendars that follow the moon, in a Gregorian year, as days since 1970. The Hebrew one is worked out exactly. The
 * Chinese one needs astronomy: its days are tabled for some decades, and repeated every nineteen years elsewhere, to within
 * a day. The Islamic one is left out: it goes by the moon that is seen, and arithmetic is a day off too often.
 */

const UNIX_RD = 719_163

const elapsed = (year: number): number => {
  const months = Math.floor((235 * year - 234) / 19)
  const day = 29 * months + Math.floor((12_084 + 13_753 * months) / 25_920)
  return (3 * (day + 1)) % 7 < 3 ? day + 1 : day
}

/** 1 Tishri of a Hebrew year, after the four postponements. */
const tishri = (year: number): number => {
  const [before, own, after] = [elapsed(year - 1), elapsed(year), elapsed(year + 1)]
  const more = after - own === 356 ? 2 : own - before === 382 ? 1 : 0
  return -1_373_427 + own + more - UNIX_RD
}

export const roshHashanah = (year: number): number => tishri(year + 3761)
/** 15 Nisan is always as long before the new year that follows. */
export const passover = (year: number): number => roshHashanah(year) - 163
/** 25 Kislev; Cheshvan before it may have a thirtieth day. */
export const hanukkah = (year: number): number => {
  const start = roshHashanah(year)
  const isLong = (roshHashanah(year + 1) - start) % 10 === 5
  return start + 30 + (isLong ? 30 : 29) + 24
}

const TABLED_FROM = 2000
const NEW_YEARS =
  '35 23 42 31 21 39 28 48 37 25 44 33 22 40 30 49 38 27 46 35 24 42 31 21 40 28 47 37 25 43 32 22 41 30 49 38 27 45 34 23 42 31 21 40 29 47 36 25 44 32 22 41 31 49 38 27 45 34 23 42 32'
const MID_AUTUMNS =
  '255 273 263 253 271 260 278 267 257 275 264 254 273 261 250 269 258 276 266 255 274 263 252 271 260 278 267 257 276 264 254 273 262 250 269 258 277 266 255 274 263 252 270 259 278 267 257 276 265 253 272 261 250 268 258 277 267 255 274 263 252'

const tabled = (days: string) => {
  const list = days.split(' ').map(Number)
  return (year: number): number => {
    const at = year - TABLED_FROM
    const known = list[at] ?? list[((at % 19) + 19) % 19] ?? 0
    return dayOf(year, 1, 1) + known
  }
}

export const chineseNewYear = tabled(NEW_YEARS)
export const midAutumn = tabled(MID_AUTUMNS)

/** Easter Sunday by the Julian calendar, as the Orthodox churches have it. */
export const orthodoxEaster = (year: number): number => {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const month = Math.floor((d + e + 114) / 31)
  const julian = dayOf(year, month, ((d + e + 114) % 31) + 1)
  return julian + Math.floor(year / 100) - Math.floor(year / 400) - 2
}
