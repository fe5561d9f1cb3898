import type { Place } from '../chart.ts'
import { daysOf, shiftDay } from '../resolve.ts'
import type { DatePart, Duration, When, Zone } from '../values.ts'
import { type Context, define } from './context.ts'
import { day } from './units.ts'
import { hasDay, joined, part } from './when-values.ts'

const around = (_: Place<Context>, when: When): When => ({ ...when, around: true })

const lasting = ({ context }: Place<Context>, when: When, duration: Duration): When | undefined => {
  if (when.to || when.bound || duration.around) return undefined
  if (when.time?.is === 'range') return undefined
  const start = when.date ? daysOf(when.date, context.now) : undefined
  if (duration.seconds === 0) {
    if (!start || when.time) return undefined
    return {
      ...when,
      to: {
        date: {
          is: 'days',
          from: shiftDay(start.from, duration, 1),
          to: shiftDay(start.from, duration, 1) + 1,
          grain: 'day',
        },
      },
      shift: duration,
    }
  }
  if (when.time?.is !== 'clock') return undefined
  return { ...when, shift: duration }
}

/** Midnight at the end of the day meant. */
const endOfDay = ({ context }: Place<Context>, date: DatePart): When | undefined => {
  const at = daysOf(date, context.now)
  return at && at.grain === 'day' && at.to - at.from === 1
    ? { date: at, time: { is: 'clock', h: 23, mi: 59, s: 59, grain: 'second' } }
    : undefined
}

const today = ({ context: { now } }: Place<Context>): DatePart => day(now.day)

/** When most people stop working. */
const endOfWork = ({ context }: Place<Context>, date: DatePart): When | undefined =>
  daysOf(date, context.now)?.grain === 'day'
    ? { date, time: { is: 'clock', h: 17, mi: 0, grain: 'hour' } }
    : undefined

const firstThing = ({ context }: Place<Context>, date: DatePart): When | undefined =>
  daysOf(date, context.now)?.grain === 'day' ? { date, time: part('morning') } : undefined

/** An hour has a zone; a day only where nothing follows: "by Friday EST", but "on Monday CT scan". */
const zoned = ({ tokens, to }: Place<Context>, when: When, zone: Zone): When | undefined =>
  when.zone || (!when.time && (!hasDay(when) || tokens[to]?.kind === 'word')) ? undefined : { ...when, zone }

/** Times with how long they last, how exactly they are meant, and where the clock hangs. */
export const whenRules = define(
  ['when', '@around <when>', around, 0.2],
  [
    'when',
    '<when> @at? @around <when>',
    (place, a: When, b: When) => {
      const when = joined(place, a, b)
      return when && { ...when, around: true }
    },
    0.4,
  ],
  ['when', 'sometime|spätestens? @around|@on? <when>', (_, when: When) => when, -0.5],

  ['when', '<when> @for|lasting @around? <dur>', lasting, 0.5],
  ['when', '<when> , <dur>', lasting, 0.1],
  [
    'when',
    '@for @around? <dur> ,? @from|@at|@on|starting|beginning|ab @at|@on? <when>',
    (place, duration: Duration, when: When) => lasting(place, when, duration),
    0.7,
  ],
  [
    'when',
    '<when> @for <dur> @from|@at|starting|beginning @at? <when>',
    (place, a: When, duration: Duration, b: When) => {
      const when = joined(place, a, b)
      return when && lasting(place, when, duration)
    },
    1,
  ],
  ['when', '@the? end @of <ofdate>', endOfDay, 0.5],
  ['when', 'eod ,? @on? <date>', endOfDay, 0.6],
  ['when', '<date> ,? eod', endOfDay, 0.6],
  ['when', 'eod', (place) => endOfDay(place, today(place))],
  ['closing', 'cob|eob|feierabend', () => 0],
  ['closing', 'close of business|play', () => 0, 0.5],
  ['when', '<closing> ,? @on? <date>', (place, _: number, date: DatePart) => endOfWork(place, date), 0.6],
  ['when', '<date> ,? @closing', endOfWork, 0.6],
  ['when', '@closing', (place) => endOfWork(place, today(place))],
  ['when', 'first thing @on? <date>', firstThing, 0.6],
  ['when', '<date> ,? first thing', firstThing, 0.6],

  ['when', '<when> <zone>', zoned, 0.3],
  ['when', '<when> ( <zone> )', zoned, 0.3],
  ['when', '<when> , <zone>', zoned, 0.2],
)
