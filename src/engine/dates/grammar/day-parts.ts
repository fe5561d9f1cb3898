import type { Place } from '../chart.ts'
import { LEXICON } from '../lexicon.ts'
import { daysOf } from '../resolve.ts'
import type { Clock, DatePart, Edge, PartName, When } from '../values.ts'
import { type Context, define } from './context.ts'
import { bounded, dated, part, range, timed } from './when-values.ts'

const dayPart =
  (step: number) =>
  ({ context }: Place<Context>, name: PartName): When => ({
    date: { is: 'days', from: context.now.day + step, to: context.now.day + step + 1, grain: 'day' },
    time: part(name),
  })

/** "movie night" is no time. */
const isNoun = ({ tokens, from }: Place<Context>): boolean => {
  const [before, word] = [tokens[from - 1], tokens[from]]
  return word?.text === 'night' && before?.kind === 'word' && !LEXICON.has(before.text)
}

/** "early on Thursday" is in its morning, "late" in its evening. */
const leaning = ({ context }: Place<Context>, edge: Edge, date: DatePart): When | undefined => {
  const at = daysOf(date, context.now)
  if (at?.grain !== 'day' || at.to - at.from !== 1 || edge === 'middle') return undefined
  return { date, time: part(edge === 'start' ? 'morning' : 'evening', edge) }
}

/** Days, hours, and the parts of a day. */
export const dayPartRules = define(
  ['when', '<date>', (_, date: DatePart) => dated(date)],
  ['when', '<clock>', (_, clock: Clock) => timed(clock)],
  ['when', '@during <yearonly>', (_, date: DatePart) => dated(date)],
  [
    'when',
    '<nowword>',
    ({ context }) => ({
      date: { is: 'days', from: context.now.day, to: context.now.day + 1, grain: 'day' },
      time: {
        is: 'clock',
        h: Math.floor(context.now.seconds / 3600),
        mi: Math.floor(context.now.seconds / 60) % 60,
        s: context.now.seconds % 60,
        grain: 'second',
      },
      shift: { months: 0, days: 0, seconds: 0, unit: 'second', n: 0 },
    }),
  ],
  ['dayword', '2 moro|morrow|mrw', () => 1, 0.5],
  ['dayword', 'heute noch', () => 0, 0.2],
  ['dayword', 'noch heute', () => 0, 0.2],
  ['nowword', 'right now', () => 0, 0.1],
  ['nowword', 'at @the? moment|minute|present', () => 0, 0.5],
  ['nowword', 'at @the present time', () => 0, 0.5],

  ['around', 'ca|circa .', () => 0],
  ['at', 'um @around', () => 0],
  ['to', 'bis zum|zu', () => 0],
  ['to', 'bis einschließlich|inklusive|einschl|inkl .|zum?', () => 0, 0.3],
  ['until', 'bis einschließlich|inklusive|einschl|inkl .|zum?', () => 0, 0.3],
  ['to', 'up to|until|through and including', () => 0, 0.3],
  ['to', 'auf den', () => 0],
  ['until', 'bis zum|zu|:', () => 0],
  [
    'when',
    '<dowpart>',
    (_, value: { dow: number; part: PartName }) => ({
      date: { is: 'fields', dow: value.dow },
      time: part(value.part),
    }),
  ],
  [
    'partwhen',
    '<leanpart>',
    (_, value: { edge: Edge; part: PartName }) => timed(part(value.part, value.edge)),
  ],
  [
    'when',
    '<dowshort> .|,? @at <clock>',
    (_, dow: number, clock: Clock) => ({ date: { is: 'fields', dow }, time: clock }),
    0.4,
  ],
  ['when', '@since|@from <dotclock>', (_, clock: Clock) => ({ time: clock, bound: 'since' }), 0.1],
  ['when', '@after <dotclock>', (_, clock: Clock) => ({ time: clock, bound: 'after' }), 0.1],
  ['when', '@before|@until <dotclock>', (_, clock: Clock) => ({ time: clock, bound: 'before' }), 0.1],
  ['when', 'nicht vor <when>', bounded('since'), 0.7],
  ['when', 'nicht später als <when>', bounded('by'), 0.7],
  ['when', '@since|@from @around <when>', bounded('since'), 0.5],
  ['clockrange', '<clock> / <clock>', range, 0.2],
  // A meal is a time only where something says so: "lunch at noon" is what happens.
  ['mealwhen', '@the? <meal>', (_, name: PartName) => timed(part(name))],
  ['partwhen', 'at|over|during @the? <meal>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@at? <meal> time', (_, name: PartName) => timed(part(name)), 0.2],
  ['when', '@after <mealwhen>', bounded('after'), 0.3],
  ['when', '@before <mealwhen>', bounded('before'), 0.3],
  ['partwhen', '<part>', (place, name: PartName) => (isNoun(place) ? undefined : timed(part(name)))],
  ['saidpart', '@in @the? <part>', (_, name: PartName) => timed(part(name)), 0.2],
  ['saidpart', '@in @the? <lean> <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.3],
  ['saidpart', '@at night', () => timed(part('night')), 0.2],
  ['partwhen', '@in @the? <part>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@at @the? <part>', (_, name: PartName) => timed(part(name)), 0.2],
  ['partwhen', '@on <part>', (_, name: PartName) => timed(part(name)), 0.1],
  ['partwhen', '<lean> <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.2],
  ['partwhen', '@in @the? <lean> <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.3],
  ['partwhen', '<lean> @in @the <part>', (_, edge: Edge, name: PartName) => timed(part(name, edge)), 0.3],
  ['partwhen', '@in @the day - time', () => timed(part('daytime')), 0.5],
  ['partwhen', '@in @the night - time', () => timed(part('nighttime')), 0.5],
  ['when', '<partwhen>', (_, when: When) => when],
  ['when', '<tonight>', dayPart(0)],
  [
    'when',
    '<lean> <tonight>',
    ({ context }, edge: Edge, name: PartName) => ({
      date: { is: 'days', from: context.now.day, to: context.now.day + 1, grain: 'day' },
      time: part(name, edge),
    }),
    0.3,
  ],
  ['when', 'this <part>', dayPart(0), 0.4],
  ['when', 'heute <part>', dayPart(0), 0.4],
  [
    'when',
    '<lean> this <part>',
    ({ context }, edge: Edge, name: PartName) => ({
      date: { is: 'days', from: context.now.day, to: context.now.day + 1, grain: 'day' },
      time: part(name, edge),
    }),
    0.5,
  ],
  ['when', 'last <part>', dayPart(-1), 0.4],
  [
    'when',
    '<lean> last night',
    ({ context }, edge: Edge) => ({
      date: { is: 'days', from: context.now.day - 1, to: context.now.day, grain: 'day' },
      time: part('night', edge),
    }),
    0.5,
  ],
  ['when', 'next <part>', dayPart(1), 0.3],
  ['when', '<lean> @on? <date>', leaning, 0.3],
  ['when', '<date> ,? <lean>', (place, date: DatePart, edge: Edge) => leaning(place, edge, date), 0.2],
  [
    'when',
    'mid <date>',
    (place, date: DatePart) => {
      const at = daysOf(date, place.context.now)
      return at?.grain === 'day' ? { date, time: part('noon') } : undefined
    },
    0.3,
  ],
)
