import { describe, expect, it } from 'vitest'
import { distinct, isValidRecipient, readRecipients } from './addresses.ts'

const ana = { name: 'Ana Ruiz', address: 'ana@example.org' }

describe('the recipients of an email', () => {
  it('are read with and without names, separated by commas, semicolons or lines', () => {
    const people = readRecipients(
      'Ana Ruiz <ana@example.org>, ben@example.org; "Cleo, Dr." <cleo@example.org>',
    )
    expect(people).toContainEqual(ana)
    expect(people).toContainEqual({ name: '', address: 'ben@example.org' })
  })

  it('may be separated by spaces if all are addresses', () => {
    expect(readRecipients('ana@example.org ben@example.org')).toHaveLength(2)
    expect(readRecipients('Ana Ruiz')).toHaveLength(1)
  })

  it('keep invalid text, so that the user can correct it', () => {
    const [person] = readRecipients('ana(at)example.org')
    expect(person && isValidRecipient(person)).toBe(false)
  })

  it('are listed once', () => {
    expect(distinct([ana, { name: '', address: 'ANA@example.org' }])).toEqual([ana])
  })
})
