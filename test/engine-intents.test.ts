import { describe, expect, it } from 'vitest'
import { readIntent } from '../src/engine/intents/read.ts'
import type { IntentContext } from '../src/engine/intents/request.ts'
import {
  EVENT_LINES,
  GERMAN_LINES,
  type Line,
  MAIL_LINES,
  OUTSIDE_LINES,
  SEVERAL_LINES,
  TASK_LINES,
} from './support/assistant-sentences.ts'

const CONTEXT: IntentContext = { now: Date.parse('2026-02-25T10:30:00Z'), timezone: 'Europe/Berlin' }
const readingOf = (text: string): unknown[] =>
  readIntent(text, CONTEXT).intents.map(({ tool, arguments: given }) => [tool, given])

describe.each<[string, readonly Line[]]>([
  ['tasks and lists', TASK_LINES],
  ['events and free time', EVENT_LINES],
  ['mail, figures, briefing and dates', MAIL_LINES],
  ['German', GERMAN_LINES],
  ['several in one', SEVERAL_LINES],
])('what is written to the assistant: %s', (_, lines) => {
  it.each(lines.map(([text, ...wanted]) => ({ text, wanted })))('$text', ({ text, wanted }) => {
    expect(readingOf(text)).toEqual(wanted)
  })
})

describe('what is none of the assistant’s business', () => {
  it.each(OUTSIDE_LINES)('%s', (text) => {
    const { intents, abstained } = readIntent(text, CONTEXT)
    expect(intents).toEqual([])
    expect(abstained.length).toBeGreaterThan(0)
  })
})
