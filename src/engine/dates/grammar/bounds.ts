import type { Clock, DatePart, Days, When } from '../values.ts'
import { define } from './context.ts'
import { bounded, joined } from './when-values.ts'

/** A day with its hour, and what lies before or after a time. */
export const boundRules = define(
  ['when', '<when> <when>', joined, 0.3],
  ['when', '<when> ,|(|.|-|/ <when>', joined, 0.2],
  ['when', '<when> ( <when> )', joined, 0.3],
  ['when', '<when> ,? @at|@on|@in|@for|@by|@of <when>', joined, 0.3],
  ['when', '<when> ,? @at|@on @the <when>', joined, 0.3],
  ['when', '<when> ,? jeweils @at? <when>', joined, 0.3],
  [
    'when',
    '<when> @and|but <when>',
    (_, a: When, b: When) => {
      // "later than 3:30pm but before 6pm"
      if (
        a.time?.is !== 'clock' ||
        b.time?.is !== 'clock' ||
        a.bound !== 'after' ||
        b.bound !== 'before' ||
        b.date
      )
        return undefined
      const { bound: _bound, ...rest } = a
      return { ...rest, time: { is: 'range', a: a.time, b: b.time } }
    },
    0.5,
  ],
  ['when', '<when> , <when> )', joined, -0.2],

  ['when', '@before|vor <when>', bounded('before'), 0.3],
  ['when', 'prior to <when>', bounded('before'), 0.4],
  ['when', 'earlier than <when>', bounded('before'), 0.5],
  [
    'when',
    '@before @the? <edgedate>',
    (_, date: Days) => ({
      date: {
        is: 'days',
        from: date.from,
        to: date.to,
        grain: date.grain,
        ...(date.edge ? { edge: date.edge } : {}),
      },
      bound: 'by',
    }),
    0.5,
  ],
  ['when', '@until @the? <when>', bounded('until'), 0.2],
  ['when', 'bis zum <numday>', (_, date: DatePart) => ({ date, bound: 'until' }), 0.3],
  ['when', 'as late as <when>', bounded('until'), 0.5],
  ['when', '@by @the? <when>', bounded('by'), 0.3],
  ['when', 'no|not later than <when>', bounded('by'), 0.7],
  ['when', '@after @the? <when>', bounded('after'), 0.3],
  ['when', 'any time|anytime? @after|@from <when>', bounded('after'), 0.3],
  ['when', 'any time from <when>', bounded('since'), 0.5],
  ['when', 'later than <when>', bounded('after'), 0.5],
  ['when', '@since @on? @the? <when>', bounded('since'), 0.3],
  ['when', '@from <when>', bounded('since'), -0.1],
  [
    'when',
    '@before <loose>',
    (_, clock: Clock) => (clock.grain === 'hour' ? { time: clock, bound: 'before' } : undefined),
    0,
  ],
  [
    'when',
    '@after <loose>',
    (_, clock: Clock) => (clock.grain === 'hour' ? { time: clock, bound: 'after' } : undefined),
    0,
  ],
  // "Send it by 5", all that a line says of when.
  [
    'when',
    '@by <loose>',
    ({ context, tokens, to }, clock: Clock) =>
      context.terse &&
      clock.grain === 'hour' &&
      (tokens[to] === undefined || /^[#!.,]$/.test(tokens[to].text))
        ? { time: clock, bound: 'by' }
        : undefined,
    0,
  ],
  ['when', '<when> ,? @the earliest|frühestens', bounded('since'), 0.5],
  ['when', '<when> ,? frühestens', bounded('since'), 0.5],
  ['when', '<when> ,? @at @the latest', bounded('by'), 0.6],
  ['when', '<when> ,? spätestens', bounded('by'), 0.3],
  ['when', '<when> or later|after', bounded('since'), 0.6],
  ['when', '<when> or earlier|before', bounded('until'), 0.6],
  ['when', 'frühestens <when>', bounded('since'), 0.4],
  ['boundyear', '@before @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'before' }), 0.2],
  ['boundyear', '@after @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'after' }), 0.2],
  ['boundyear', '@since @on? @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'since' }), 0.2],
  ['boundyear', '@until @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'until' }), 0.2],
  ['boundyear', '@by @the? <yearonly>', (_, date: DatePart) => ({ date, bound: 'by' }), 0.2],
  ['boundyear', 'any time|anytime? after <yearonly>', (_, date: DatePart) => ({ date, bound: 'after' }), 0.4],
  ['boundyear', '<yearonly> or later', (_, date: DatePart) => ({ date, bound: 'since' }), 0.5],
  ['when', '<boundyear>', (_, when: When) => when],
)
