import { describe, expect, it } from 'vitest'
import { EMPTY_SEED, type Fields } from '../seeds.ts'
import { fillTemplate, listUnfilledFields } from './template-fields.ts'

const fields = (change: Partial<Fields>): Fields => ({ ...EMPTY_SEED.fields, ...change })
const context = (change: Partial<Fields>) => ({
  fields: fields(change),
  sender: undefined,
  date: '2 March',
  time: '14:00',
})
const TO_INES = { to: [{ name: 'Ines Maria Falk', address: 'ines@falk.example' }] }

describe('a template', () => {
  it('gets the names and the address of the first recipient', () => {
    const text = fillTemplate('{{firstName}}, {{ lastName }}, {{email}}, {{date}}', context(TO_INES), {
      isHtml: false,
    })
    expect(text).toBe('Ines, Falk, ines@falk.example, 2 March')
  })

  it('keeps fields without a value and unknown fields', () => {
    expect(fillTemplate('{{firstName}} {{coupon}}', context({}), { isHtml: false })).toBe(
      '{{firstName}} {{coupon}}',
    )
  })

  it('escapes values in HTML', () => {
    const to = [{ name: '<b>Ines</b>', address: 'ines@falk.example' }]
    expect(fillTemplate('{{name}}', context({ to }), { isHtml: true })).toBe('&lt;b&gt;Ines&lt;/b&gt;')
  })
})

describe('an email made from a template', () => {
  it('names the fields that are still empty, each once', () => {
    const email = fields({ subject: 'For {{ name }}', text: '{{name}} {{time}} {{coupon}}', html: null })
    expect(listUnfilledFields(email)).toEqual(['{{name}}', '{{time}}'])
  })
})
