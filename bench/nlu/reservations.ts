import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { textOfHtml } from '../../src/features/mail/html/sanitizer.ts'
import { readMessage } from '../../src/features/mail/mime/message.ts'
import { extractReservations, type ReservationInput } from '../../src/nlu/reservations/extract.ts'
import type { Reservation } from '../../src/nlu/reservations/reservation.ts'
import { hasData, loadCases, type Rate, ROOT } from './data.ts'

/* Scores the extraction of reservations with `travel-mails`, as the description of that data says. */

interface ExpectedReservation {
  type: string
  number?: string
  trip?: string
  departure?: string
  arrival?: string
  start?: string
  end?: string
}

interface TravelMail {
  id: string
  file: string
  format: string
  source: string
  family: string
  from: string | null
  expected: ExpectedReservation[]
}

export const hasTravelMails = (): boolean => hasData('travel-mails')

const loadTravelMails = (): TravelMail[] => loadCases<TravelMail>('travel-mails', 'mails')

/**
 * The rules were written with the tuning part only. Mails of one company are in one part. The hash left texts of a
 * single company for tuning, so the family `regiojet` was moved there later.
 */
const isTuning = ({ family }: Pick<TravelMail, 'family'>): boolean =>
  family.endsWith('/regiojet') || (createHash('sha256').update(family).digest()[0] as number) % 2 === 0

const toInput = ({ file, format, from }: TravelMail): ReservationInput => {
  const bytes = readFileSync(`${ROOT}/travel-mails/${file}`)
  const given = { subject: '', text: '', html: null, sender: from ?? '', calendars: [], jsonLd: [] }
  if (file.endsWith('.eml')) {
    const { subject, text, html, attachments } = readMessage(bytes)
    const contents = (pattern: RegExp): string[] =>
      attachments
        .filter(({ contentType }) => pattern.test(contentType))
        .map(({ content }) => content.toString())
    return {
      ...given,
      subject,
      text: text ?? (html === null ? '' : textOfHtml(html)),
      html,
      calendars: contents(/calendar|ics/),
      jsonLd: contents(/^application\/(?:ld\+json|json\+ld)$/),
    }
  }
  const content = bytes.toString()
  if (format === 'ics') return { ...given, calendars: [content] }
  if (format === 'text') return { ...given, text: content }
  return { ...given, html: content, text: textOfHtml(content) }
}

const OWN_FILE = new URL('./mails/travel.txt', import.meta.url)

interface OwnTravelMail {
  id: string
  isTuning: boolean
  input: ReservationInput
  expected: ExpectedReservation[]
}

/** Loads fictional mails of other companies. A hash of the name assigns each to a part, as with the public ones. */
const loadOwnTravelMails = (): OwnTravelMail[] =>
  readFileSync(OWN_FILE, 'utf8')
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [head = '', subject = '', ...lines] = block.split('\n')
      const [id = '', type, number, start, end] = head
        .split(' | ')
        .map((value) => (value === '-' ? undefined : value))
      return {
        id: id as string,
        isTuning: isTuning({ family: id as string }),
        input: {
          subject: subject.replace(/^Subject: /, ''),
          text: lines.join('\n'),
          html: null,
          sender: '',
          calendars: [],
          jsonLd: [],
        },
        expected: type === undefined ? [] : [{ type, number, start, end } as ExpectedReservation],
      }
    })

const toKey = (value: string | null | undefined): string => (value ?? '').replace(/\s/g, '').toUpperCase()
/** Some times of the markup are not ISO 8601; the others are compared as written. */
const toMinute = (value: string | undefined): string => (value ?? '').slice(0, 16).replace(' ', 'T')

/** Type, number, trip and times must agree, as far as the expectation names them. */
const isFound = (expected: ExpectedReservation, found: Reservation): boolean => {
  const agrees = (wanted: string | undefined, value: string | null): boolean =>
    wanted === undefined || toKey(wanted) === toKey(value)
  const isSame = (wanted: string | undefined, value: string | undefined): boolean =>
    wanted === undefined || toMinute(wanted) === toMinute(value)
  return (
    expected.type === found.type &&
    agrees(expected.number, found.number) &&
    agrees(expected.trip, found.trip) &&
    isSame(expected.departure ?? expected.start, found.start?.local) &&
    isSame(expected.arrival ?? expected.end, found.end?.local)
  )
}

interface ReservationScore {
  right: number
  found: number
  expected: number
}

interface ReservationScores {
  byType: Map<string, ReservationScore>
  byFormat: Map<string, ReservationScore>
  /** Expectations without a match, and findings without an expectation. */
  wrong: string[]
}

/** The messages of `sml` without markup tell of their event in words, so finding it is no error. */
const isExcused = ({ source, expected }: TravelMail, { type }: Reservation): boolean =>
  source === 'sml' && expected.length === 0 && type === 'event'

const describe = ({ type, number, trip, start, end }: Reservation): string =>
  [type, number, trip, start?.local, end?.local].join(' ')

export const scoreReservations = (
  part: 'tuning' | 'validation' | 'all',
  set: 'public' | 'own' = 'public',
): ReservationScores => {
  const scores: ReservationScores = { byType: new Map(), byFormat: new Map(), wrong: [] }
  const add = (keys: [string, string], name: keyof ReservationScore): void => {
    for (const [index, table] of [scores.byType, scores.byFormat].entries())
      for (const key of index === 0 ? [keys[0], 'all'] : [keys[1]]) {
        const score = table.get(key) ?? { right: 0, found: 0, expected: 0 }
        score[name]++
        table.set(key, score)
      }
  }
  const scoreMail = (
    id: string,
    format: string,
    found: readonly Reservation[],
    expectations: readonly ExpectedReservation[],
  ): void => {
    const rest = new Set(found)
    for (const one of rest) add([one.type, format], 'found')
    for (const expected of expectations) {
      add([expected.type, format], 'expected')
      const match = [...rest].find((one) => isFound(expected, one))
      if (match) {
        rest.delete(match)
        add([expected.type, format], 'right')
      } else scores.wrong.push(`${id}: missed ${JSON.stringify(expected)}`)
    }
    for (const one of rest) scores.wrong.push(`${id}: found ${describe(one)}`)
  }
  const options = { date: Date.UTC(2026, 10, 1), timezone: 'Europe/Berlin' }
  const isWanted = (inTuning: boolean): boolean => part === 'all' || inTuning === (part === 'tuning')
  if (set === 'own')
    for (const { id, isTuning: inTuning, input, expected } of loadOwnTravelMails()) {
      if (isWanted(inTuning)) scoreMail(id, 'text', extractReservations(input, options), expected)
    }
  else
    for (const mail of loadTravelMails()) {
      if (!isWanted(isTuning(mail))) continue
      const found = extractReservations(toInput(mail), options).filter((one) => !isExcused(mail, one))
      scoreMail(mail.id, mail.format, found, mail.expected)
    }
  return scores
}

const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`

/** Returns precision and recall of a part as rates. */
export const getOverallScore = (
  part: 'tuning' | 'validation',
  set: 'public' | 'own',
): Record<'precision' | 'recall', Rate> => {
  const { right = 0, found = 0, expected = 0 } = scoreReservations(part, set).byType.get('all') ?? {}
  return {
    precision: { right, of: found, wrong: [] },
    recall: { right, of: expected, wrong: [] },
  }
}

/** Prints precision and recall by type and by format, for the part that was tuned with and for the other. */
export const printReservations = (): void => {
  if (!hasTravelMails()) console.log('\ntravel-mails: skipped, the data is absent')
  for (const set of hasTravelMails() ? (['public', 'own'] as const) : (['own'] as const))
    for (const part of ['tuning', 'validation'] as const) {
      console.log(
        `\n${`reservations, ${set}, ${part} part`.padEnd(40)}${'precision'.padStart(10)}${'recall'.padStart(9)}${'expected'.padStart(10)}`,
      )
      const { byType, byFormat } = scoreReservations(part, set)
      for (const [name, { right, found, expected }] of [...byType, ...byFormat])
        console.log(
          `${name.padEnd(40)}${formatShare(right, found).padStart(10)}${formatShare(right, expected).padStart(9)}${String(expected).padStart(10)}`,
        )
    }
}
