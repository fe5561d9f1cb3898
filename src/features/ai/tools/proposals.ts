/** The languages that a person is asked in. */
export type Language = 'en' | 'de'

interface Proposals {
  deleteTask: (title: string) => string
  deleteEvent: (title: string, when: string) => string
  send: (subject: string, to: string) => string
  trash: (subject: string) => string
  locale: string
}

const ENGLISH: Proposals = {
  deleteTask: (title) => `Delete the task “${title}”`,
  deleteEvent: (title, when) => `Delete “${title}” of ${when}`,
  send: (subject, to) => `Send “${subject}” to ${to}`,
  trash: (subject) => `Move the e-mail “${subject}” to the trash`,
  locale: 'en-GB',
}

const GERMAN: Proposals = {
  deleteTask: (title) => `Die Aufgabe „${title}“ löschen`,
  deleteEvent: (title, when) => `„${title}“ vom ${when} löschen`,
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
