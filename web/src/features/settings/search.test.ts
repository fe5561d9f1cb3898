import { describe, expect, it } from 'vitest'
import { findSettings } from './search.ts'
import type { Group } from './sections.ts'

const card = (id: string, label: string, keywords = '') => ({ id, label, keywords })
const GROUPS = [
  {
    name: 'account',
    label: 'Account',
    sections: [
      {
        path: 'security',
        label: 'Security',
        cards: [card('password', 'Password'), card('two-factor', 'Two-factor sign-in', '2fa Präsenz code')],
      },
      { path: 'tokens', label: 'Tokens', cards: [card('tokens', 'Access tokens', 'API password')] },
    ],
  },
] as unknown as Group[]

const find = (query: string) => findSettings(query, GROUPS).map(({ href }) => href)

describe('the search of the settings', () => {
  it('matches the beginnings of all words, also those of the section and of keywords', () => {
    expect(find('secur two')).toEqual(['/settings/security#two-factor'])
    expect(find('2fa')).toEqual(['/settings/security#two-factor'])
    expect(find('assword')).toEqual([])
  })

  it('ignores case and accents', () => {
    expect(find('PRASENZ')).toEqual(['/settings/security#two-factor'])
  })

  it('lists matches of the label before those of a keyword', () => {
    expect(find('password')).toEqual(['/settings/security#password', '/settings/tokens#tokens'])
  })
})
