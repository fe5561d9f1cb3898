import type { Place } from '../chart.ts'
import { daysOf, shiftDay } from '../resolve.ts'
import type { DatePart, Duration, When, Zone } from '../values.ts'
import { type Context, define } from './context.ts'
import { hasDay, joined } from './when-values.ts'

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
  ['when', 'eod|cob|feierabend ,? @on|am? <date>', endOfDay, 0.6],
  ['when', '<date> ,? eod|cob', endOfDay, 0.6],
  [
    'when',
    'eod|cob|feierabend',
    (place) =>
      endOfDay(place, {
        is: 'days',
        from: place.context.now.day,
        to: place.context.now.day + 1,
        grain: 'day',
      }),
  ],

  ['when', '<when> <zone>', zoned, 0.3],
  ['when', '<when> ( <zone> )', zoned, 0.3],
  ['when', '<when> , <zone>', zoned, 0.2],
)
