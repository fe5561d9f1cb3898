import { describe, expect, it } from 'vitest'
import { describePeople, type Thread } from './threads.ts'

const INES = { name: 'Ines Falk', address: 'ines@falk.example' }
const BEN = { name: '', address: 'ben@example.org' }
const people = (folder: Thread['folder'], ...participants: Thread['participants']) =>
  describePeople({ folder, participants } as Thread)

describe('the people of a thread', () => {
  it('have full names if there is one, and first names if there are several', () => {
    expect(people('inbox', INES)).toBe('Ines Falk')
    expect(people('inbox', INES, BEN)).toBe('Ines, ben@example.org')
  })

  it('are the recipients of sent mail', () => {
    expect(people('sent', INES)).toBe('To Ines Falk')
    expect(people('drafts')).toBe('No recipients')
  })

  it('may be unknown', () => {
    expect(people('inbox')).toBe('Unknown sender')
  })
})
