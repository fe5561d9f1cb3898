import type { ContactField } from '../../../nlu/requests/questions.ts'
import type { InterpreterContext } from './context.ts'

/* Texts of answers about contacts and reservations. */

const ENGLISH = {
  field: (field: ContactField, value: string) =>
    `${{ phone: 'Phone', email: 'Email', address: 'Address', birthday: 'Birthday', company: 'Company' }[field]}: ${value}`,
  noField: (field: ContactField, name: string) =>
    `I have no ${{ phone: 'phone number', email: 'email address', address: 'postal address', birthday: 'birthday', company: 'company' }[field]} of ${name}.`,
  ages: (now: number, next: number, when: string) => `${now} years old, ${next} on ${when}`,
  addedContact: (name: string, details: string) =>
    `I added the contact “${name}”${details === '' ? '' : `: ${details}`}.`,
  fromContacts: 'Source: your contacts.',
  noContact: (name: string) => `You have no contact “${name}”.`,
  lastEmail: (when: string, subject: string, words: string) =>
    `Last email: ${when}, ${subject}${words === '' ? '' : `: ${words}`}`,
  noEmail: (name: string) => `You have no email from ${name}.`,
  unused: (words: string) => `I did not use “${words}”.`,
  /** Parts of a reservation. */
  until: 'until',
  due: (when: string) => `due ${when}`,
  delivery: (when: string) => `delivery ${when}`,
  localTime: 'local time',
  reference: (number: string) => `reference ${number}`,
  seat: (seat: string) => `seat ${seat}`,
  platform: (platform: string) => `platform ${platform}`,
  party: (count: number) => (count === 1 ? 'for 1 person' : `for ${count} people`),
  status: {
    confirmed: '',
    pending: 'not confirmed yet',
    cancelled: 'cancelled',
    paid: 'paid',
    delivered: 'delivered',
  },
  fromEmail: (sender: string, subject: string, day: string) =>
    `Source: the email “${subject}” from ${sender}, ${day}.`,
  notGiven: (what: string) => `The email does not give ${what}.`,
  asked: {
    when: 'a time',
    until_when: 'an end',
    where: 'a place',
    address: 'an address',
    how_much: 'an amount',
    reference: 'a number',
    seat: 'a seat',
    platform: 'a platform',
    party: 'a number of people',
  },
  noReservation: 'I found nothing like that in your emails of the last weeks.',
  noneNamed: (words: string) => `I found nothing with “${words}”. Without these words:`,
}

export type KnownTexts = typeof ENGLISH

const GERMAN: KnownTexts = {
  field: (field, value) =>
    `${{ phone: 'Telefon', email: 'E-Mail', address: 'Adresse', birthday: 'Geburtstag', company: 'Firma' }[field]}: ${value}`,
  noField: (field, name) =>
    `${{ phone: 'Eine Telefonnummer', email: 'Eine E-Mail-Adresse', address: 'Eine Adresse', birthday: 'Den Geburtstag', company: 'Die Firma' }[field]} von ${name} kenne ich nicht.`,
  ages: (now, next, when) => `${now} Jahre alt, ${next} am ${when}`,
  addedContact: (name, details) =>
    `Der Kontakt „${name}“ ist angelegt${details === '' ? '' : `: ${details}`}.`,
  fromContacts: 'Quelle: deine Kontakte.',
  noContact: (name) => `Du hast keinen Kontakt „${name}“.`,
  lastEmail: (when, subject, words) =>
    `Letzte E-Mail: ${when}, ${subject}${words === '' ? '' : `: ${words}`}`,
  noEmail: (name) => `Du hast keine E-Mail von ${name}.`,
  unused: (words) => `Nicht berücksichtigt: „${words}“.`,
  until: 'bis',
  due: (when) => `fällig ${when}`,
  delivery: (when) => `Lieferung ${when}`,
  localTime: 'Ortszeit',
  reference: (number) => `Nummer ${number}`,
  seat: (seat) => `Platz ${seat}`,
  platform: (platform) => `Gleis ${platform}`,
  party: (count) => (count === 1 ? 'für 1 Person' : `für ${count} Personen`),
  status: {
    confirmed: '',
    pending: 'noch nicht bestätigt',
    cancelled: 'storniert',
    paid: 'bezahlt',
    delivered: 'zugestellt',
  },
  fromEmail: (sender, subject, day) => `Quelle: die E-Mail „${subject}“ von ${sender}, ${day}.`,
  notGiven: (what) => `Die E-Mail nennt ${what} nicht.`,
  asked: {
    when: 'die Zeit',
    until_when: 'das Ende',
    where: 'den Ort',
    address: 'die Adresse',
    how_much: 'den Betrag',
    reference: 'die Nummer',
    seat: 'den Platz',
    platform: 'das Gleis',
    party: 'die Anzahl der Personen',
  },
  noReservation: 'In deinen E-Mails der letzten Wochen habe ich dazu nichts gefunden.',
  noneNamed: (words) => `Mit „${words}“ habe ich nichts gefunden. Ohne diese Wörter:`,
}

export const getKnownTexts = ({ texts }: Pick<InterpreterContext, 'texts'>): KnownTexts =>
  texts.locale === 'de-DE' ? GERMAN : ENGLISH
