/** The languages that a person is asked in. */
export type Language = 'en' | 'de'

interface Proposals {
  deleteTask: (title: string) => string
  createEvent: (title: string, when: string, guests: string) => string
  moveEvent: (title: string, from: string, to: string) => string
  changeEvent: (title: string, when: string) => string
  cancelEvent: (title: string, when: string) => string
  deleteEvent: (title: string, when: string) => string
  /** Follows one of the above. */
  mayNotify: (guests: string) => string
  andMore: (count: number) => string
  send: (subject: string, to: string) => string
  trash: (subject: string) => string
  locale: string
}

const ENGLISH: Proposals = {
  deleteTask: (title) => `Delete the task “${title}”`,
  createEvent: (title, when, guests) => `Create “${title}” on ${when} with ${guests}`,
  moveEvent: (title, from, to) => `Move “${title}” from ${from} to ${to}`,
  changeEvent: (title, when) => `Change “${title}” of ${when}`,
  cancelEvent: (title, when) => `Cancel “${title}” of ${when}`,
  deleteEvent: (title, when) => `Delete “${title}” of ${when}`,
  mayNotify: (guests) => ` (guests may be notified: ${guests})`,
  andMore: (count) => `and ${count} more`,
  send: (subject, to) => `Send “${subject}” to ${to}`,
  trash: (subject) => `Move the e-mail “${subject}” to the trash`,
  locale: 'en-GB',
}

const GERMAN: Proposals = {
  deleteTask: (title) => `Die Aufgabe „${title}“ löschen`,
  createEvent: (title, when, guests) => `„${title}“ am ${when} mit ${guests} anlegen`,
  moveEvent: (title, from, to) => `„${title}“ von ${from} auf ${to} verschieben`,
  changeEvent: (title, when) => `„${title}“ vom ${when} ändern`,
  cancelEvent: (title, when) => `„${title}“ vom ${when} absagen`,
  deleteEvent: (title, when) => `„${title}“ vom ${when} löschen`,
  mayNotify: (guests) => ` (Gäste werden möglicherweise benachrichtigt: ${guests})`,
  andMore: (count) => `und ${count} weitere`,
  send: (subject, to) => `„${subject}“ an ${to} senden`,
  trash: (subject) => `Die E-Mail „${subject}“ in den Papierkorb legen`,
  locale: 'de',
}

/** What will be done, for the person who is asked. */
export const proposalsIn = (language: Language = 'en'): Proposals => (language === 'de' ? GERMAN : ENGLISH)

/** When an event is, on the person's clock; a whole day is one of its own zone. */
export const whenIs = (
  event: { start: string; allDay?: unknown; timezone?: unknown },
  person: string,
  language: Language = 'en',
): string => {
  const isDay = event.allDay === true
  return new Intl.DateTimeFormat(proposalsIn(language).locale, {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...(!isDay && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: isDay && typeof event.timezone === 'string' ? event.timezone : person,
  }).format(new Date(event.start))
}

const MOST_NAMED = 5

export const listGuests = (guests: readonly string[], language: Language = 'en'): string => {
  const named = guests.slice(0, MOST_NAMED).join(', ')
  const more = guests.length - MOST_NAMED
  return more > 0 ? `${named} ${proposalsIn(language).andMore(more)}` : named
}
