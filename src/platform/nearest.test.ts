import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const KNOWN = ['email', 'password', 'name', 'workingHours', 'limit', 'cursor', 'code']

it.each([
  ['emial', 'email'],
  ['e-mail', 'email'],
  ['E_MAIL', 'email'],
  ['EMAIL', 'email'],
  ['mail', 'email'],
  ['passwort', 'password'],
  ['pass_word', 'password'],
  ['working_hours', 'workingHours'],
  ['workinghour', 'workingHours'],
  ['workHours', 'workingHours'],
  ['cursr', 'cursor'],
  ['limits', 'limit'],
  ['colour', undefined],
  ['x', undefined],
  ['', undefined],
  ['temperature', undefined],
  ['__proto__', undefined],
  ['p'.repeat(65), undefined],
])('%s was meant to be %s', (name, meant) => {
  expect(nearest(name, KNOWN)).toBe(meant)
})

it('there is nothing near where nothing is known', () => {
  expect(nearest('email', [])).toBeUndefined()
})

it('of two that are as near, the first is named, so that the answer stays the same', () => {
  expect(nearest('bat', ['cat', 'rat'])).toBe('cat')
})

it('what has no letter in common is not near, however short both are', () => {
  expect(nearest('do', ['q', 'does'])).toBe('does')
  expect(nearest('do', ['q'])).toBeUndefined()
})
