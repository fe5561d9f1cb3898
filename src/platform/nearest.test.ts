import { expect, it } from 'vitest'
import { nearest } from './collections.ts'

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
])('suggests for %s the name %s', (name, meant) => {
  expect(nearest(name, KNOWN)).toBe(meant)
})

it('suggests nothing when no names are known', () => {
  expect(nearest('email', [])).toBeUndefined()
})

it('suggests the first of two equally near names, so that the result is stable', () => {
  expect(nearest('bat', ['cat', 'rat'])).toBe('cat')
})

it('suggests nothing when no character matches, however short both names are', () => {
  expect(nearest('do', ['q', 'does'])).toBe('does')
  expect(nearest('do', ['q'])).toBeUndefined()
})
