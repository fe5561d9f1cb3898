import { expect, it } from 'vitest'
import { weekStartOf } from './week-start.ts'

it.each([
  ['en', 'monday'],
  ['en-US', 'sunday'],
  ['en-GB', 'monday'],
  ['de', 'monday'],
  ['pt-BR', 'sunday'],
  ['fa', 'saturday'],
  ['en-u-ca-buddhist', 'monday'],
])('weeks of %s begin on %s', (tag, day) => {
  expect(weekStartOf(tag)).toBe(day)
})
