/*
 * Dates in languages that the date reader does not know. Month names and times are replaced by English ones of the same
 * length, so that all offsets stay.
 */

const MONTHS: readonly (readonly [string, string])[] = [
  ['Jan', 'janvier janv enero gennaio genn januari janeiro styczeń stycznia stycz januar leden ledna'],
  ['Feb', 'février févr fevrier febrero febbraio febr februari fevereiro luty lutego februar únor února'],
  ['Mar', 'mars marzo maart março marzec marca marts březen března'],
  ['Apr', 'avril avr abril aprile kwiecień kwietnia duben dubna'],
  ['May', 'mai mayo maggio magg mei maio maj maja květen května'],
  ['Jun', 'juin junio giugno juni junho czerwiec czerwca červen června'],
  ['Jul', 'juillet juil julio luglio juli julho lipiec lipca červenec července'],
  ['Aug', 'août aout agosto augustus augusti sierpień sierpnia srpen srpna'],
  ['Sep', 'septembre sept septiembre settembre setembro wrzesień września september září'],
  ['Oct', 'octobre octubre ottobre oktober outubro październik października říjen října'],
  ['Nov', 'novembre noviembre novembro listopad listopada listopadu'],
  ['Dec', 'décembre décem décembre diciembre dicembre dezembro grudzień grudnia december prosinec prosince'],
]

/** Short forms that are English or German words. They count only before a year. */
const SHORT: readonly (readonly [string, string])[] = [
  ['Jan', 'ene gen janv'],
  ['Feb', 'fév fev'],
  ['Mar', 'mrt'],
  ['Apr', 'abr avr'],
  ['May', 'mag'],
  ['Jun', 'giu'],
  ['Jul', 'lug juil'],
  ['Aug', 'ago aoû'],
  ['Sep', 'set sett'],
  ['Oct', 'okt ott out'],
  ['Dec', 'dic déc dez'],
]

const toTable = (rows: readonly (readonly [string, string])[]): Map<string, string> =>
  new Map(rows.flatMap(([month, names]) => names.split(' ').map((name) => [name, month] as const)))

const NAMES = toTable(MONTHS)
const SHORT_NAMES = toTable(SHORT)

/** "18 juin", "2 de septiembre de 2027", "1er août 2027", "21 kwietnia 2027" */
const DAY_AND_MONTH =
  /(?<![\d\p{L}])(\d{1,2})(\.|er|º|°|ª)?(\s{1,3}(?:de\s|d['’])?)(\p{L}{3,11})(\.?)((?:\s{1,3}(?:de\s|del\s|r\.?\s)?)(?=(?:19|20)\d\d(?!\d)))?(?![\p{L}])/giu

const blank = (text: string): string => ' '.repeat(text.length)

/** "14h28", "14h", "14 h 28", and "à 07h35" as "at". */
const FRENCH_TIME = /(?<![\d\p{L}])([01]?\d|2[0-3])( ?)h( ?)([0-5]\d)(?![\d\p{L}])/giu

/** "12. 3. 2027" */
const SPACED_DATE = /(?<![\d.])(\d{1,2})\.( )(\d{1,2})\.( )((?:19|20)\d\d)(?!\d)/gu

/** Rewrites dates and times in place. The result has the same length. */
export const toEnglishDates = (text: string): string =>
  text
    .replace(
      DAY_AND_MONTH,
      (
        whole: string,
        day: string,
        ordinal = '',
        gap: string,
        name: string,
        dot: string,
        tail: string | undefined,
      ) => {
        const lower = name.toLowerCase()
        const month = NAMES.get(lower) ?? (tail === undefined ? undefined : SHORT_NAMES.get(lower))
        if (month === undefined) return whole
        // Names such as "January" shortened to three letters leave spaces, which the reader skips.
        const end = tail ?? ''
        return `${day}${blank(ordinal)}${blank(gap)}${month}${' '.repeat(name.length - 3)}${blank(dot)}${blank(end)}`
      },
    )
    .replace(SPACED_DATE, '$2$4$1.$3.$5')
    .replace(
      FRENCH_TIME,
      (_, hour: string, before: string, after: string, minute: string) =>
        `${before}${after}${hour}:${minute}`,
    )
