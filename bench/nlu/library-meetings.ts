/*
 * A meeting parser built from libraries alone. chrono finds times, Microsoft's recognizers durations, and
 * compromise names and places. The title is the rest of the text without request phrases.
 */
import * as chrono from 'chrono-node'
import nlp from 'compromise'
import type { EventReading } from '../../src/nlu/meetings/event.ts'
import { recognizeDateTime } from './baselines.ts'
import type { EventCase } from './smcalflow.ts'

const ASKING =
  /^(?:(?:please|hi|hey|hello|can you|could you|i need to|i want to|i'd like to|i would like to)[\s,]+)*(?:(?:add|schedule|create|make|set up|set|put|book|plan|arrange|organize)\s+)?(?:me\s+)?(?:an?|the|my|in)?\s*(?:(?:new|calendar)\s+)*/i
const TO_CALENDAR = /\s(?:to|on|in|into) (?:my|the) (?:calendar|schedule|agenda)\b.*$/i
const LEFT_OVER = /(?:[\s,.!?]|\b(?:with|at|in|on|for|from|to|by|and|this|next|the|of)\b)+$/i

const pieces = (text: string, found: readonly string[]) =>
  found
    .map((words) => words.replace(/^[\s"'(]+|[\s.,;:!?"')]+$/g, '').replace(/['’]s$/, ''))
    .filter((words) => words !== '')
    .map((words) => ({ text: words, offset: Math.max(0, text.indexOf(words)) }))

const minutesIn = (text: string, ref: string): number | undefined => {
  const length = recognizeDateTime(text, 'en-us', 0, new Date(ref)).find(({ typeName }) =>
    typeName.endsWith('.duration'),
  )
  const seconds = Number(length?.resolution?.values?.[0]?.value)
  return seconds > 0 ? seconds / 60 : undefined
}

export const readWithLibraries = ({ text, ref }: EventCase): EventReading => {
  const times = chrono.parse(text, { instant: new Date(ref) }, { forwardDate: true })
  let rest = text
  for (const { index, text: words } of times.toReversed())
    rest = `${rest.slice(0, index)} ${rest.slice(index + words.length)}`
  const document = nlp(rest)
  const people = pieces(text, document.people().out('array') as string[])
  const [place] = pieces(text, document.places().out('array') as string[])
  const minutes = minutesIn(text, ref)
  let title = rest.replace(ASKING, '').replace(TO_CALENDAR, '')
  for (const { text: words } of place ? [...people, place] : people) title = title.replace(words, ' ')
  title = title.replace(LEFT_OVER, '').replace(/\s+/g, ' ').trim()
  return {
    ...(title === '' ? {} : { title: { text: title, offset: 0 } }),
    people,
    ...(place ? { place } : {}),
    ...(minutes === undefined ? {} : { minutes }),
    times: [],
  }
}

/** Treats a text with a time and without a question as an event request. */
export const asksWithLibraries = (text: string): boolean =>
  chrono.parse(text).length > 0 && !nlp(text).questions().found
