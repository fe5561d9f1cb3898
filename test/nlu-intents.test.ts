import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoreActing } from '../bench/nlu/act-scores.ts'
import { hasData, loadTrainingCases, percent } from '../bench/nlu/data.ts'
import { INTENT_SETS, type IntentSet, loadIntentSet, loadOwnRequests } from '../bench/nlu/intents.ts'
import { f1 } from '../bench/nlu/smcalflow.ts'
import { trainIntents } from '../bench/train/intents.ts'
import { readIntent } from '../src/nlu/intents/read.ts'
import { type IntentContext, isGermanRequest } from '../src/nlu/intents/request.ts'
import {
  EVENT_LINES,
  GERMAN_LINES,
  type Line,
  MAIL_LINES,
  NEW_ITEM_LINES,
  OUTSIDE_LINES,
  SEVERAL_LINES,
  TASK_LINES,
} from './support/assistant-sentences.ts'
import { isFullRun } from './support/scale.ts'

const CONTEXT: IntentContext = { now: Date.parse('2026-02-25T10:30:00Z'), timezone: 'Europe/Berlin' }
const readingOf = (text: string): unknown[] =>
  readIntent(text, CONTEXT).intents.map(({ tool, arguments: given }) => [tool, given])

describe.each<[string, readonly Line[]]>([
  ['tasks and lists', TASK_LINES],
  ['events and free time', EVENT_LINES],
  ['mail, figures, briefing and dates', MAIL_LINES],
  ['German', GERMAN_LINES],
  ['several in one', SEVERAL_LINES],
  ['new items', NEW_ITEM_LINES],
])('reads requests to the assistant: %s', (_, lines) => {
  it.each(lines.map(([text, ...wanted]) => ({ text, wanted })))('$text', ({ text, wanted }) => {
    expect(readingOf(text)).toEqual(wanted)
  })
})

describe('a sentence that starts with a long time expression', () => {
  it.each([
    'christmas eve '.repeat(40),
    'next wednesday afternoon at half past three or thursday morning, what do i have',
  ])('is read without delay: %.30s', (text) => {
    expect(readIntent(text, CONTEXT)).toBeDefined()
  })
})

describe('a sentence that starts with a property name of Object.prototype', () => {
  it.each(['constructor', 'constructor every week', '__proto__ tomorrow at 10am'])('is read: %s', (text) => {
    expect(readIntent(text, CONTEXT)).toBeDefined()
  })
})

describe('abstains from requests that the assistant does not handle', () => {
  it.each(OUTSIDE_LINES)('%s', (text) => {
    const { intents, abstained } = readIntent(text, CONTEXT)
    expect(intents).toEqual([])
    expect(abstained.length).toBeGreaterThan(0)
  })
})

describe('the result of readIntent', () => {
  it('names the words behind each argument with their offsets', () => {
    const text = 'Hi! Could you please cancel my meeting with Bob tomorrow?'
    const [intent] = readIntent(text, CONTEXT).intents
    expect(intent?.evidence.map(({ argument, text: words }) => [argument, words])).toEqual([
      ['person', 'Bob'],
      ['at', 'tomorrow'],
    ])
    for (const { text: words, offset } of intent?.evidence ?? [])
      expect(text.slice(offset, offset + words.length)).toBe(words)
  })

  it('has a higher confidence for a rule match than for a guess', () => {
    const sure = (text: string): number => readIntent(text, CONTEXT).intents[0]?.confidence ?? 0
    expect(sure('which mails are urgent')).toBeGreaterThan(sure('dentist tuesday 10am'))
  })

  it.each([
    ['empty', ''],
    ['incomplete', 'remind me'],
    ['incomplete', 'cancel it'],
    ['out_of_scope', 'what is the capital of Peru'],
    ['too_long', 'please '.repeat(500)],
  ])('contains the reason for abstaining: %s', (reason, text) => {
    expect(readIntent(text, CONTEXT).abstained.map((one) => one.reason)).toEqual([reason])
  })
})

const HOSTILE = [
  'a'.repeat(2000),
  'and '.repeat(500),
  'remind me to '.repeat(150),
  'from '.repeat(400),
  '"“„'.repeat(600),
  `cancel ${'my next '.repeat(240)}`,
  `move ${'3pm to '.repeat(280)}`,
  '\u{1F600}'.repeat(900),
  ' \n'.repeat(1000),
  '|'.repeat(2000),
  'to the my our '.repeat(140),
  `${'mail '.repeat(390)}as x`,
]

describe('hostile input', () => {
  it.each(HOSTILE.map((text) => [text.slice(0, 20), text]))('reads %j to its end', (_, text) => {
    const { intents, abstained } = readIntent(text, CONTEXT)
    expect(intents.length + abstained.length).toBeGreaterThan(0)
  })

  it('returns a result for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { intents, abstained } = readIntent(text, CONTEXT)
        return intents.length + abstained.length > 0
      }),
      { numRuns: 300 },
    )
  })

  it('rejects a text of one megabyte as too long', () => {
    const { abstained } = readIntent('cancel my meeting and '.repeat(50_000), CONTEXT)
    expect(abstained.map(({ reason }) => reason)).toEqual(['too_long'])
  })
})

const withData = (set: IntentSet): boolean => {
  const there = hasData(INTENT_SETS[set].folder)
  if (!there) console.log(`${INTENT_SETS[set].folder} is not here: its figures are not checked`)
  return there
}

describe('the shipped model acts on requests of its business only', () => {
  it.each([
    ['hwu64', 0.88],
    ['clinc150', 0.8],
    ['slurp', 0.88],
  ] as const)('in the validation part of %s', (set, aim) => {
    if (!withData(set)) return
    const requests = loadIntentSet(set).filter(({ part }) => part === 'validation')
    const { acting, writes } = scoreActing(requests)
    expect(f1(acting)).toBeGreaterThanOrEqual(aim)
    expect(percent(writes)).toBeLessThanOrEqual(0.5)
  })

  it('in the validation part of the German sentences', () => {
    const requests = loadOwnRequests('german').filter(({ part }) => part === 'validation')
    const { acting, writes } = scoreActing(requests)
    expect(f1(acting)).toBeGreaterThanOrEqual(0.88)
    expect(percent(writes)).toBeLessThanOrEqual(2)
  })

  it.skipIf(!isFullRun || !withData('slurp'))('and is reproduced byte for byte from the same data', () => {
    expect(trainIntents().json).toBe(readFileSync('src/nlu/models/intents.json', 'utf8'))
  })
})

it('training without data fails and names EVALUATION_DATA', () => {
  expect(() => loadTrainingCases('intents-slurp', 'nowhere')).toThrow('EVALUATION_DATA')
})

describe('language detection', () => {
  it.each([
    ['When am I free tomorrow?', false],
    ['Meet me 10 am', false],
    ['Was steht morgen an?', true],
    ['Sag mir, was morgen ansteht', true],
    ['am Montag Zahnarzt', true],
  ])('decides by words that exist in one language only: %s', (text, german) => {
    expect(isGermanRequest(text)).toBe(german)
  })
})
