import type { InvitationTexts } from './en.ts'

const nameOf = (title: string): string => (title === '' ? 'Dieser Termin' : `„${title}“`)
const sentBy = (sender: string): string => `Gesendet von ${sender || 'einem unbekannten Absender'}`

const every = (count: number, one: string, unit: string): string =>
  count === 1 ? one : `Alle ${count} ${unit}`

export const de: InvitationTexts = {
  untitled: 'deine Einladung',
  subject: {
    accepted: (title) => `Zugesagt: ${title}`,
    declined: (title) => `Abgelehnt: ${title}`,
    tentative: (title) => `Mit Vorbehalt: ${title}`,
    'needs-action': (title) => `Unentschieden: ${title}`,
  },
  answer: {
    accepted: (name) => `${name} hat diese Einladung angenommen:`,
    declined: (name) => `${name} hat diese Einladung abgelehnt:`,
    tentative: (name) => `${name} hat diese Einladung mit Vorbehalt angenommen:`,
    'needs-action': (name) => `${name} hat noch nicht auf diese Einladung geantwortet:`,
  },
  invitationSubject: {
    invited: (title) => `Einladung: ${title}`,
    updated: (title) => `Geänderte Einladung: ${title}`,
    cancelled: (title) => `Abgesagt: ${title}`,
    uninvited: (title) => `Einladung zurückgezogen: ${title}`,
  },
  invitation: {
    invited: (name) => `Einladung von ${name}:`,
    updated: (name) => `${name} hat diesen Termin geändert:`,
    cancelled: (name) => `${name} hat diesen Termin abgesagt:`,
    uninvited: (name) => `${name} hat die Einladung zu diesem Termin zurückgezogen:`,
  },
  recurrence: {
    daily: (count) => every(count, 'Jeden Tag', 'Tage'),
    weekly: (count, days) => `${every(count, 'Jede Woche', 'Wochen')} am ${days}`,
    weekdays: (count) => `${every(count, 'Jede Woche', 'Wochen')} von Montag bis Freitag`,
    monthlyOnDate: (count, day) => `${every(count, 'Jeden Monat', 'Monate')} am ${day}.`,
    monthlyOnWeekday: (count, ordinal, weekday) =>
      `${every(count, 'Jeden Monat', 'Monate')} am ${ordinal < 0 ? 'letzten' : `${ordinal}.`} ${weekday}`,
    yearly: (count, date) => `${every(count, 'Jedes Jahr', 'Jahre')} am ${date}`,
    times: (pattern, count) => (count === 1 ? `${pattern}, einmal` : `${pattern}, ${count}-mal`),
    until: (pattern, date) => `${pattern}, bis ${date}`,
    custom: 'Der Termin wiederholt sich.',
  },
  reasons: {
    sentBy: (sender) => `${sentBy(sender)}.`,
    inSpamOrTrash: (sender) =>
      `${sentBy(sender)}. E-Mails in Spam und Papierkorb werden nicht automatisch übernommen.`,
    senderNotVerified: (sender) =>
      sender === ''
        ? 'Dein Mailserver konnte den Absender dieser E-Mail nicht prüfen.'
        : `Dein Mailserver konnte nicht bestätigen, dass diese E-Mail von ${sender} stammt.`,
    seriesMissing: 'Die Serie dieses Termins ist nicht im Kalender.',
    occurrenceMissing: (title) => `${nameOf(title)} findet zu dieser Zeit nicht statt.`,
    older: 'Die E-Mail ist älter als der Stand im Kalender.',
    noStart: 'Der Beginn fehlt (DTSTART).',
    cancelsUnknownEvent: (sender) => `${sentBy(sender)}. Der abgesagte Termin ist nicht im Kalender.`,
    notOrganizer: (sender, organizer) => `${sentBy(sender)}, nicht von ${organizer} (Organisator).`,
    noOrganizer: (sender, title) => `${sentBy(sender)}. ${nameOf(title)} hat keinen Organisator.`,
    otherOrganizer: ({ sender, stated, title, organizer }) =>
      `${sentBy(sender)}. Die E-Mail nennt ${stated} als Organisator; ${nameOf(title)} wird von ${organizer} organisiert.`,
    createdHere: (sender, title) =>
      `${sentBy(sender)}. ${nameOf(title)} wurde in diesem Kalender erstellt und kann nicht per E-Mail geändert werden.`,
    published: (sender) => `${sentBy(sender)}. Veröffentlichte Termine werden nicht automatisch übernommen.`,
    replyToUnknownEvent: (sender) => `${sentBy(sender)}. Der Termin zu dieser Antwort ist nicht im Kalender.`,
    proposesOtherTime: (sender) => `${sentBy(sender)} mit dem Vorschlag einer anderen Zeit.`,
    youAreNotOrganizer: (sender, title) =>
      `${sentBy(sender)}. ${nameOf(title)} wird nicht von dir organisiert.`,
    notInvited: (sender, title) => `${sentBy(sender)}. ${nameOf(title)}: Diese Adresse ist nicht eingeladen.`,
    repliesForOther: (sender, attendee) =>
      attendee === undefined
        ? `${sentBy(sender)}. Die Antwort nennt keine eingeladene Person.`
        : `${sentBy(sender)}. Diese Adresse kann nicht für ${attendee} antworten.`,
    repliesToEarlierVersion: (sender, title) =>
      `${sentBy(sender)}. ${nameOf(title)}: Die Antwort gilt für einen früheren Stand.`,
    noTimeStamp: (sender) => `${sentBy(sender)}. Der Antwort fehlt der Zeitstempel (DTSTAMP).`,
  },
}
