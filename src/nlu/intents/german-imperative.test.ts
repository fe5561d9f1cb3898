import { expect, it } from 'vitest'
import { toGermanImperative } from './german-imperative.ts'

it.each([
  [
    'Kannst du den Friseur auf Freitag um 11 Uhr verschieben?',
    'verschiebe den Friseur auf Freitag um 11 Uhr',
  ],
  ['Könntest du bitte die Mails von Ana zusammenfassen?', 'fasse die Mails von Ana zusammen'],
  ['Zahnarzt auf Montag verschieben', 'verschiebe Zahnarzt auf Montag'],
  ['Bitte alle Newsletter archivieren.', 'archiviere alle Newsletter'],
])('moves the verb to the front: %s', (text, imperative) => {
  expect(toGermanImperative(text)).toBe(imperative)
})

it.each([
  'Ich muss bis Freitag die Steuererklärung abgeben',
  'Erinnere mich daran, den Termin zu verschieben',
  'Neue Aufgabe: Zahnarzt verschieben',
  'Was kannst du mir zeigen?',
  'Mails schreiben',
  'move the dentist to Friday',
])('leaves other texts unchanged: %s', (text) => {
  expect(toGermanImperative(text)).toBe(text)
})
