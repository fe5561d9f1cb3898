import { expect, it } from 'vitest'
import { takesEvents, takesPages } from './responses.ts'

it.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['application/json, text/event-stream', true],
  ['application/json;q=0.5, text/event-stream;q=0.6', true],
  ['application/json, text/event-stream;q=0.9', false],
  ['text/event-stream;q=0', false],
  ['application/json, text/event-stream ; q=0.000', false],
  ['text/event-streams', false],
  ['*/*', false],
  [undefined, false],
])('for Accept %j, whether events are streamed is %j', (accept, expected) => {
  expect(takesEvents({ accept })).toBe(expected)
})

it.each([
  ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', true],
  ['application/json, text/html;q=0', false],
  ['*/*', false],
])('for Accept %j, whether pages are accepted is %j', (accept, expected) => {
  expect(takesPages({ accept })).toBe(expected)
})
