import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tagArguments } from '../src/nlu/tagger/tagger.ts'

const MODEL = new URL('../src/nlu/models/tagger.json', import.meta.url)

describe('the arguments of a request', () => {
  it.each<[string, Record<string, string>]>([
    [
      'Schedule a budget review with Sarah tomorrow at 3pm',
      { title: 'budget review', person: 'Sarah', date: 'tomorrow', time: '3pm' },
    ],
    ['remind me to call the plumber on friday', { title: 'call the plumber', date: 'friday' }],
    ['add oat milk to my shopping list', { title: 'oat milk', list: 'shopping' }],
    ['move the dentist appointment to next tuesday', { title: 'dentist appointment', start: 'next tuesday' }],
    ['Trag am 3. März um 15 Uhr Zahnarzt ein', { date: '3. März', time: '15 Uhr', title: 'Zahnarzt' }],
    ['setze milch auf die einkaufsliste', { title: 'milch', list: 'einkaufsliste' }],
    ['erinnere mich morgen an die miete', { date: 'morgen', title: 'miete' }],
    [
      'yoga every tuesday at 18:00 until june 14',
      { title: 'yoga', recurrence: 'every tuesday', time: '18:00', until: 'june 14' },
    ],
    [
      'pay rent tomorrow 9am every month #home',
      { title: 'pay rent', date: 'tomorrow', time: '9am', recurrence: 'every month', tag: '#home' },
    ],
    [
      "Lunch with Ines Friday noon at Luigi's",
      { title: 'Lunch', person: 'Ines', date: 'Friday', time: 'noon', place: "Luigi's" },
    ],
    ['Brot und Eier auf die Einkaufsliste', { title: 'Brot und Eier', list: 'Einkaufsliste' }],
    ['Zahnarzt morgen um 15 Uhr', { title: 'Zahnarzt', date: 'morgen', time: '15 Uhr' }],
    [
      'ruf den Vermieter an, sobald der Vertrag da ist',
      { title: 'ruf den Vermieter an', condition: 'sobald der Vertrag da ist' },
    ],
    [
      'remind me 2 hours before the flight to check in',
      { reminder_offset: '2 hours before', title: 'check in' },
    ],
  ])('%s', (sentence, wanted) => {
    const found = tagArguments(sentence)
    expect(Object.fromEntries(found.map(({ role, text }) => [role, text]))).toEqual(wanted)
    for (const { start, end, text } of found) expect(sentence.slice(start, end)).toBe(text)
  })

  it.each(['', ' ', '?!', '\u0000', '🦊'.repeat(400), 'a '.repeat(5000), '1'.repeat(20_000)])(
    'stands any text',
    (text) => {
      for (const one of tagArguments(text)) expect(text.slice(one.start, one.end)).toBe(one.text)
    },
  )

  it('has a small model', () => {
    expect(statSync(MODEL).size).toBeLessThan(2_000_000)
  })
})
