import { expect, it } from 'vitest'
import { weekStartOf } from './accounts.ts'

it.each([
  ['en', 'monday'],
  ['en-US', 'sunday'],
  ['en-GB', 'monday'],
  ['de', 'monday'],
  ['pt-BR', 'sunday'],
  ['fa', 'saturday'],
  ['en-u-ca-buddhist', 'monday'],
])('the week starts for the locale %s on %s', (tag, day) => {
  expect(weekStartOf(tag)).toBe(day)
})
