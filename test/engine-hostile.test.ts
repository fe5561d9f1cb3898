import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTimes } from '../src/engine/dates/read.ts'
import { ownText, splitMail } from '../src/engine/history.ts'
import { analyzeMail } from '../src/engine/mail/analysis.ts'
import { detectMeetings } from '../src/engine/meetings/detect.ts'
import { readQuickTask } from '../src/engine/quick-task.ts'
import { readRule } from '../src/engine/recurrence/read-rule.ts'
import { sentencesOf } from '../src/engine/sentences.ts'
import { FUNCTIONS } from './support/engine-functions.ts'
import { HOSTILE } from './support/hostile-texts.ts'

const NOW = Date.UTC(2026, 1, 2, 10)
const ZONE = 'Europe/Berlin'

/** Processor time, which does not grow because others use the machine; a second is some ten times what the slowest takes. */
const MOST_MS = 1000

describe('a megabyte of anything', () => {
  it.each(Object.keys(FUNCTIONS))(
    'is no burden for %s',
    (name) => {
      const work = FUNCTIONS[name] as (text: string) => unknown
      const slow: string[] = []
      for (const [what, text] of Object.entries(HOSTILE)) {
        const before = process.cpuUsage()
        work(text)
        const { user, system } = process.cpuUsage(before)
        const ms = (user + system) / 1000
        if (ms > MOST_MS) slow.push(`${what}: ${Math.round(ms)} ms`)
      }
      expect(slow).toEqual([])
    },
    300_000,
  )
})

/** Words that the engine knows, thrown together with what it does not. */
const words = fc.constantFrom(
  ...'monday tomorrow at 3pm 15:00 on the 1st of may 2026 every week until next friday between 9 and 11 for 2 hours'.split(
    ' ',
  ),
  ...'am Montag um 14 Uhr jeden Tag bis zum 3.4. morgen heute in drei Wochen'.split(' '),
  ...'constructor __proto__ valueOf'.split(' '),
  ...'please can we meet with Ann in Room 5 ? . , ( ) " > - : ! #tag !high @bob lunch call invoice'.split(
    ' ',
  ),
  ...[
    '\n',
    '\n\n',
    '> ',
    'On Mon, 1 Jan 2026 Ann wrote:',
    'Best,',
    '-- ',
    '🎉',
    'ä',
    '\ud83d',
    '\u200b',
    '1'.repeat(30),
  ],
)
const texts = fc.oneof(
  fc.array(words, { maxLength: 60 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 300 }),
)

describe('whatever is written', () => {
  it.each(Object.keys(FUNCTIONS))('%s takes it', (name) => {
    fc.assert(
      fc.property(texts, (text) => void (FUNCTIONS[name] as (text: string) => unknown)(text)),
      { numRuns: 150 },
    )
  })

  it('times stand where they are said to, in order, and their rules can be read', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0
        for (const { text: piece, offset, rule, confidence } of readTimes(text, { now: NOW })) {
          expect(text.slice(offset, offset + piece.length)).toBe(piece)
          expect(offset).toBeGreaterThanOrEqual(last)
          last = offset
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
          if (rule !== undefined) expect([rule, 'fault' in readRule(rule)]).toEqual([rule, false])
        }
      }),
      { numRuns: 400 },
    )
  })

  it('meetings end after they begin, and their evidence stands where it is said to', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { start, end, evidence, confidence } of detectMeetings(text, { now: NOW, timezone: ZONE })
          .meetings) {
          expect(end).toBeGreaterThan(start)
          expect(confidence).toBeGreaterThanOrEqual(0.5)
          for (const { text: piece, offset } of evidence)
            expect(text.slice(offset, offset + piece.length)).toBe(piece)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('a task has a title, and what was understood stands where it is said to', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { title, understood } = readQuickTask(text, { now: NOW })
        expect(title === '').toBe(text.trim() === '')
        for (const { text: piece, offset } of understood)
          expect(text.slice(offset, offset + piece.length)).toBe(piece)
      }),
      { numRuns: 400 },
    )
  })

  it('every character of a mail belongs to one line and one sentence, and nothing moves', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(
          splitMail(text)
            .map(({ from, to }) => text.slice(from, to))
            .join('\n'),
        ).toBe(text)
        expect(ownText(text)).toHaveLength(text.length)
        expect(
          sentencesOf(text)
            .map(({ from, to }) => text.slice(from, to))
            .join(''),
        ).toBe(text)
      }),
      { numRuns: 300 },
    )
  })

  it('an analysis keeps to its ranges', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { urgency, actionItems, questions } = analyzeMail({ text }, { date: NOW, timezone: ZONE })
        expect(urgency.score).toBeGreaterThanOrEqual(0)
        expect(urgency.score).toBeLessThanOrEqual(1)
        for (const { offset, confidence } of actionItems) {
          expect(offset).toBeLessThan(text.length)
          expect(confidence).toBeGreaterThan(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
        for (const { offset, text: words } of questions)
          expect(text.slice(offset).replace(/\s+/g, ' ').startsWith(words)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
