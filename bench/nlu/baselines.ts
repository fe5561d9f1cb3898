/* Results of common libraries for the same cases, with lenient scoring. */
import microsoft from '@microsoft/recognizers-text-date-time'
import * as chrono from 'chrono-node'
import type { CtCase, CtTime, CtValue } from './ctparse.ts'
import type { DucklingCase } from './duckling.ts'
import type { Entity, RecognizersCase } from './recognizers.ts'
import type { EventCase } from './smcalflow.ts'

interface MicrosoftResult {
  start: number
  end: number
  typeName: string
  resolution?: { values?: { value?: string; start?: string; end?: string }[] }
}

export const { recognizeDateTime } = microsoft as unknown as {
  recognizeDateTime: (text: string, culture: string, options: number, reference: Date) => MicrosoftResult[]
}

/** Both libraries use the local time zone of this process, so wall-clock times are passed as local times. */
const localDate = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00` : text)

const two = (n: number | null): string => String(n ?? 0).padStart(2, '0')

interface Found {
  from: string
  to?: string
  dated: boolean
  timed: boolean
  start: number
  end: number
}

export type Reader = (text: string, ref: string, order: 'mdy' | 'dmy') => Found[][]

const chronoText = (part: chrono.ParsedComponents): string =>
  `${String(part.get('year')).padStart(4, '0')}-${two(part.get('month'))}-${two(part.get('day'))}T${part.isCertain('hour') ? `${two(part.get('hour'))}:${two(part.get('minute'))}:${two(part.get('second'))}` : '00:00:00'}`

/** Returns all interpretations of each expression. */
const readChronoWith =
  (readerOf: (order: 'mdy' | 'dmy') => Pick<typeof chrono, 'parse'>): Reader =>
  (text, ref, order) =>
    readerOf(order)
      .parse(text, { instant: localDate(ref) }, { forwardDate: true })
      .map(({ start, end, index, text: words }) => [
        {
          from: chronoText(start),
          ...(end ? { to: chronoText(end) } : {}),
          dated: start.isCertain('day') || start.isCertain('weekday') || start.isCertain('month'),
          timed: start.isCertain('hour'),
          start: index,
          end: index + words.length,
        },
      ])

export const readChrono = readChronoWith((order) => (order === 'mdy' ? chrono : chrono.en.GB))
/** Microsoft's JavaScript package does not support German. */
export const readGermanChrono = readChronoWith(() => chrono.de)

export const readMicrosoft: Reader = (text, ref, order) =>
  recognizeDateTime(text, order === 'mdy' ? 'en-us' : 'en-gb', 0, localDate(ref)).map((found) =>
    (found.resolution?.values ?? []).map(({ value, start, end }) => {
      const full = (words: string): string =>
        /^\d\d:/.test(words)
          ? `${ref.slice(0, 10)}T${words}`
          : words.length === 10
            ? `${words}T00:00:00`
            : words.replace(' ', 'T')
      const from = start ?? value ?? end ?? ''
      return {
        from: full(from),
        ...(end ? { to: full(end) } : {}),
        dated: !/^\d\d:/.test(from),
        timed: from.includes(':'),
        start: found.start,
        end: found.end + 1,
      }
    }),
  )

export const isDucklingStart = (read: Reader, { text, ref, gold }: DucklingCase): boolean => {
  const found = read(text, ref, 'mdy')
  return found.length === 1 && (found[0]?.some(({ from }) => from === gold?.start) ?? false)
}

const ctTime = (text: string, dated: boolean, timed: boolean): CtTime => ({
  ...(dated
    ? { year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)), day: Number(text.slice(8, 10)) }
    : {}),
  ...(timed ? { hour: Number(text.slice(11, 13)), minute: Number(text.slice(14, 16)) } : {}),
})

/** Neither library reports the parts of a day, so any interpretation of the expression counts. */
export const ctReadings = (read: Reader, { text, ref }: CtCase): CtValue[] => {
  const found = read(text, ref, 'dmy')
  if (found.length !== 1) return []
  return (found[0] as Found[]).map(({ from, to, dated, timed }) =>
    to
      ? { type: 'interval', start: ctTime(from, dated, timed), end: ctTime(to, dated, timed) }
      : { type: 'time', value: ctTime(from, dated, timed) },
  )
}

/** Scores Microsoft's package on its own cases. */
export const isMicrosoftRight = ({ text, ref, entities }: RecognizersCase): boolean => {
  const found = recognizeDateTime(text, 'en-us', 0, localDate(ref ?? '2016-11-07T00:00:00'))
  return (
    found.length === entities.length &&
    found.every((one, index) => {
      const gold = entities[index] as Entity
      if (one.start !== gold.start || one.end + 1 !== gold.end || one.typeName !== `datetimeV2.${gold.type}`)
        return false
      return (one.resolution?.values ?? []).some((value) =>
        (gold.values ?? []).some(
          (right) =>
            (right.value ?? null) === (value.value ?? null) &&
            (right.start ?? null) === (value.start ?? null) &&
            (right.end ?? null) === (value.end ?? null),
        ),
      )
    })
  )
}

/** chrono reports no kinds, so the start value is enough. */
export const isChronoRight = ({ text, ref, entities }: RecognizersCase): boolean => {
  const found = readChrono(text, ref ?? '2016-11-07T00:00:00', 'mdy')
  return (
    found.length === entities.length &&
    found.every((readings, index) => {
      const gold = entities[index] as Entity
      return readings.some(({ from }) =>
        (gold.values ?? []).some((value) => {
          const expected = value.start ?? value.value ?? value.end ?? ''
          return (
            expected === from.slice(0, 10) ||
            expected === from.replace('T', ' ') ||
            expected === from.slice(11)
          )
        }),
      )
    })
  )
}

export const isLibraryStart = (read: Reader, { text, ref, gold }: EventCase): boolean => {
  const expected = gold.start
  if (!expected) return false
  return read(text, ref, 'mdy')
    .flat()
    .some(({ from }) => {
      const day = from.slice(0, 10)
      if (expected.date && day !== expected.date && day !== expected.date_also) return false
      return !expected.time || from.slice(11, 16) === expected.time
    })
}
