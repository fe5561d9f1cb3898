import { durationSeconds } from '../../src/nlu/dates/outcome.ts'
import { readTimes, type TimeExpression } from '../../src/nlu/dates/read.ts'
import { loadCases } from './data.ts'
import { momentMs, wallMs, wallText } from './wall.ts'

export interface Value {
  type?: string
  value?: string
  start?: string
  end?: string
  Mod?: string
}

export interface Entity {
  text: string
  start: number
  end: number
  type: string
  values: Value[] | null
}

export interface RecognizersCase {
  text: string
  ref: string | null
  entities: Entity[]
}

export const recognizersCases = (part = 'model'): RecognizersCase[] => loadCases('datetime-recognizers', part)

/** The hours of the parts of a day in this data set. */
const PARTS: Readonly<Record<string, readonly [string, string]>> = {
  morning: ['08:00:00', '12:00:00'],
  afternoon: ['12:00:00', '16:00:00'],
  evening: ['16:00:00', '20:00:00'],
  night: ['20:00:00', '23:59:59'],
  lunch: ['11:00:00', '13:00:00'],
  breakfast: ['08:00:00', '12:00:00'],
  dinner: ['16:00:00', '20:00:00'],
  daytime: ['08:00:00', '18:00:00'],
  nighttime: ['00:00:00', '08:00:00'],
  noon: ['10:00:00', '14:00:00'],
}
const HALVES: Readonly<Record<string, string>> = {
  morning: '10:00:00',
  afternoon: '14:00:00',
  evening: '18:00:00',
  night: '22:00:00',
}

export interface Answer {
  start: number
  end: number
  type: string
  value?: string
  from?: string
  to?: string
}

export const toExpectedFormat = (found: TimeExpression): Answer => {
  const span = { start: found.offset, end: found.offset + found.text.length }
  if (found.kind === 'duration')
    return {
      ...span,
      type: 'duration',
      value: String(found.duration ? durationSeconds(found.duration) : ''),
    }
  if (found.kind === 'recurrence') return { ...span, type: 'set', value: 'not resolved' }
  const { start, end, bound, grain } = found
  const timeOnly = found.kind === 'time' || found.kind === 'timerange'
  const dateOnly = found.kind === 'date' || found.kind === 'daterange'
  const formatTime = (ms: number): string => {
    const text = wallText(ms).replace('T', ' ')
    return timeOnly ? text.slice(11) : dateOnly ? text.slice(0, 10) : text
  }
  let from = start ? formatTime(momentMs(start)) : undefined
  let to = end ? formatTime(momentMs(end)) : undefined
  if (found.part && start) {
    const [a, b] = PARTS[found.part] ?? ['', '']
    const half = HALVES[found.part] ?? a
    const day = timeOnly ? '' : `${formatTime(momentMs(start)).slice(0, 10)} `
    from = `${day}${found.edge === 'end' ? half : a}`
    to = `${day}${found.edge === 'start' ? half : b}`
    if (bound === 'before') return { ...span, type: found.kind, to: from }
    if (bound === 'after') return { ...span, type: found.kind, from: to }
  }
  if (found.edge && dateOnly && start && grain === 'month') {
    const half = new Date(momentMs(start))
    half.setUTCDate(16)
    if (found.edge === 'start') to = wallText(half.getTime()).slice(0, 10)
    if (found.edge === 'end' && found.bound !== 'by') from = wallText(half.getTime()).slice(0, 10)
  }
  if (grain === 'season') return { ...span, type: 'daterange', value: 'not resolved' }
  if (bound === 'by' || bound === 'before' || bound === 'until')
    return {
      ...span,
      type: found.kind,
      to: (bound === 'before' ? from : bound === 'by' && found.edge ? to : (to ?? from)) as string,
    }
  if (bound)
    return { ...span, type: found.kind, from: (bound === 'after' && to && dateOnly ? to : from) as string }
  if (found.kind === 'date' || found.kind === 'time' || found.kind === 'datetime')
    return { ...span, type: found.kind, value: from as string }
  return { ...span, type: found.kind, ...(from ? { from } : {}), ...(to ? { to } : {}) }
}

export const readRecognizers = ({ text, ref }: RecognizersCase): Answer[] => {
  const now = wallMs(ref ?? '2016-11-07T00:00:00')
  return readTimes(text, { now, order: 'mdy' }).map(toExpectedFormat)
}

/** Requires the same positions and kinds as the data set, and one of its accepted values. */
export const isRecognizersRight = ({ entities }: RecognizersCase, answers: Answer[]): boolean =>
  answers.length === entities.length &&
  answers.every((answer, index) => {
    const gold = entities[index] as Entity
    if (answer.start !== gold.start || answer.end !== gold.end || answer.type !== gold.type) return false
    return (gold.values ?? []).some((value) =>
      value.value !== undefined
        ? value.value === answer.value
        : (value.start ?? null) === (answer.from ?? null) && (value.end ?? null) === (answer.to ?? null),
    )
  })
