import { describe, expect, it } from 'vitest'
import { analyzeMail } from './analysis.ts'

const OPTIONS = { date: Date.parse('2026-11-17T09:00:00Z'), timezone: 'Europe/Berlin' }

const readTitles = (text: string, sender = 'Nora Feld', from = 'nora.feld@feld.example') =>
  analyzeMail({ text, sender, from }, OPTIONS).actionItems.map(({ title }) => title)

describe('the title of a task', () => {
  it.each([
    ['Could you please send me the offer by Friday?', ['Send Nora the offer']],
    ['Please check your invoice so that we can book it.', ['Check the invoice']],
    ['The form is still missing. Please upload it to the portal.', ['Upload the form to the portal']],
    [
      'Please print two copies for the team and send me the agenda.',
      ['Print two copies for the team', 'Send Nora the agenda'],
    ],
    [
      'Please review the draft and tell me what you think.',
      ['Review the draft and tell Nora what you think'],
    ],
  ])('has names for pronouns and no date: %s', (text, titles) => {
    expect(readTitles(text)).toEqual(titles)
  })

  it.each([
    ['Kannst du mir das Angebot bis Donnerstag schicken?', 'Angebot an Nora schicken'],
    [
      'Auf dem Vertrag fehlt die Unterschrift. Könnten Sie sie uns bitte bis Montag schicken?',
      'Unterschrift an Nora schicken',
    ],
    ['Bitte rufen Sie mich heute Nachmittag an.', 'Nora anrufen'],
    [
      'Bitte bringen Sie einen Ausweis und Ihre Versichertenkarte mit.',
      'Ausweis und Versichertenkarte mitbringen',
    ],
    ['Gib mir bitte bis morgen Bescheid.', 'Nora Bescheid geben'],
  ])('ends with the infinitive in German: %s', (text, title) => {
    expect(readTitles(text)).toEqual([title])
  })

  it('names an organization by its kind, and the payee of a payment in full', () => {
    const [sender, from] = ['Zahnarztpraxis Reuter', 'praxis@reuter.example']
    expect(readTitles('Bitte schicken Sie uns den Fragebogen.', sender, from)).toEqual([
      'Fragebogen an die Praxis schicken',
    ])
    expect(readTitles('Bitte überweisen Sie 80,00 EUR zuzüglich 5,50 EUR Mahngebühr.', sender, from)).toEqual(
      ['85,50 EUR an die Zahnarztpraxis Reuter überweisen'],
    )
    expect(
      readTitles('Please pay £40 by Friday to avoid a fee of £5.', 'North Gym', 'office@gym.example'),
    ).toEqual(['Pay £40 to North Gym'])
  })
})

describe('a notice of automated mail', () => {
  it.each([
    [
      'Ihre Sendung ist da',
      'Ihre Sendung liegt bis 24.11. in der Postfiliale für Sie bereit.',
      'Sendung in der Postfiliale abholen',
    ],
    [
      'Your parcel',
      'Your parcel is ready for collection at the post office.',
      'Pick up the parcel at the post office',
    ],
  ])('asks to pick up what waits: %s', (subject, text, title) => {
    const { actionItems } = analyzeMail({ subject, text, from: 'noreply@parcel.example' }, OPTIONS)
    expect(actionItems.map((item) => item.title)).toEqual([title])
  })

  it('confirms an appointment with its place and purpose', () => {
    const text =
      'Hiermit bestätigen wir Ihren Termin.\n\nDatum: Freitag, 04.12.2026\nUhrzeit: 10:40 Uhr\nOrt: Praxis Reuter, Bahnstraße 3\nBehandlung: Kontrolle\n\nBitte bringen Sie Ihre Karte mit.'
    const { meetings, actionItems } = analyzeMail(
      { subject: 'Terminbestätigung', text, from: 'noreply@reuter.example' },
      OPTIONS,
    )
    expect(
      meetings.map(({ title, location, start }) => [title, location, new Date(start).toISOString()]),
    ).toEqual([['Kontrolle', 'Praxis Reuter, Bahnstraße 3', '2026-12-04T09:40:00.000Z']])
    expect(actionItems.map(({ title }) => title)).toEqual(['Karte mitbringen'])
  })

  it('offers no meeting from phishing', () => {
    const text =
      'Ihr Konto wurde gesperrt. Bitte bestätigen Sie innerhalb von 24 Stunden Ihre PIN und Kontonummer: http://sparkasse-login.example/pin'
    expect(
      analyzeMail({ subject: 'Ihr Konto', text, from: 'info@sparkasse-login.example' }, OPTIONS).meetings,
    ).toEqual([])
  })
})
