import { readSections } from '../lexicon/sections.ts'

/*
 * Dates in languages that the date reader does not know. Month names and times are replaced by English ones of the same
 * length, so that all offsets stay.
 */

const FILE = new URL('../lexicon/months.txt', import.meta.url)

let loaded: ReadonlyMap<string, string> | undefined

/** Finds the English name. Short forms that are English or German words count only before a year. */
const findMonth = (name: string, isBeforeYear: boolean): string | undefined => {
  loaded ??= new Map(
    readSections(FILE).flatMap(({ heading, phrases }) => phrases.map((phrase) => [phrase, heading] as const)),
  )
  const month = loaded.get(name)
  return month === undefined || (month.length > 3 && !isBeforeYear) ? undefined : month.slice(0, 3)
}

/** "18 juin", "2 de septiembre de 2027", "1er août 2027", "21 kwietnia 2027" */
const DAY_AND_MONTH =
  /(?<![\d\p{L}])(\d{1,2})((?:\.|er|º|°|ª)?\s{1,3}(?:de\s|d['’])?)(\p{L}{3,11})(\.?)((?:\s{1,3}(?:de\s|del\s|r\.?\s)?)(?=(?:19|20)\d\d(?!\d)))?(?![\p{L}])/giu

/** "14h28", "14h", "14 h 28", and "à 07h35" as "at". */
const FRENCH_TIME = /(?<![\d\p{L}])([01]?\d|2[0-3])( ?)h( ?)([0-5]\d)(?![\d\p{L}])/giu

/** "12. 3. 2027" */
const SPACED_DATE = /(?<![\d.])(\d{1,2})\.( )(\d{1,2})\.( )((?:19|20)\d\d)(?!\d)/gu

/** Rewrites dates and times in place. The result has the same length. */
export const toEnglishDates = (text: string): string =>
  text
    .replace(
      DAY_AND_MONTH,
      (whole: string, day: string, gap: string, name: string, rest: string, year: string | undefined) => {
        const month = findMonth(name.toLowerCase(), year !== undefined)
        // The reader skips the spaces that remain of a longer name.
        const blank = ' '.repeat(name.length - 3 + rest.length + (year ?? '').length)
        return month === undefined ? whole : `${day}${' '.repeat(gap.length)}${month}${blank}`
      },
    )
    .replace(SPACED_DATE, '$2$4$1.$3.$5')
    .replace(
      FRENCH_TIME,
      (_, hour: string, before: string, after: string, minute: string) =>
        `${before}${after}${hour}:${minute}`,
    )
