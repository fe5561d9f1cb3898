import type { Language } from '../../../platform/language.ts'

/** Changes of several emails or tasks at once. */
export type EmailsChangeName = 'archive' | 'trash' | 'read' | 'unread' | 'star' | 'unstar' | 'tag' | 'move'
export type TasksChangeName = 'complete' | 'delete' | 'move'

/** `more` tells that there are more than were counted. */
export interface Counted {
  count: number
  more: boolean
}

/** Lists the first items of a bulk change: “Offer”, “Invoice” … */
const quoteAll = (examples: readonly string[], count: number): string =>
  examples.length === 0
    ? ''
    : `: ${examples.map((one) => `“${one}”`).join(', ')}${count > examples.length ? ' …' : ''}`

const ENGLISH = {
  createTask: (title: string, due: string) => `Add the task “${title}”${due === '' ? '' : `, due ${due}`}`,
  completeTask: (title: string) => `Complete the task “${title}”`,
  changeTask: (title: string) => `Change the task “${title}”`,
  deleteTask: (title: string) => `Delete the task “${title}”`,
  comment: (title: string, text: string) => `Comment on “${title}”: ${text}`,
  startTimer: (title: string) => `Start the timer of “${title}”`,
  stopTimer: (title: string) => `Stop the timer of “${title}”`,
  draft: (subject: string, to: string) => `Save the draft “${subject}”${to === '' ? '' : ` to ${to}`}`,
  snooze: (subject: string, until: string) => `Snooze “${subject}” until ${until}`,
  endSnooze: (subject: string) => `End the snooze of “${subject}”`,
  pin: (subject: string) => `Pin “${subject}”`,
  unpin: (subject: string) => `Unpin “${subject}”`,
  followUp: (subject: string, by: string) => `Remind you of “${subject}” if nobody answers by ${by}`,
  endFollowUp: (subject: string) => `Remove the reminder of “${subject}”`,
  unarchive: (subject: string) => `Move “${subject}” to the inbox`,
  removeTag: (subject: string, tag: string) => `Remove #${tag} from “${subject}”`,
  createContact: (name: string, addresses: string) =>
    `Add the contact “${name}”${addresses === '' ? '' : ` (${addresses})`}`,
  changeContact: (name: string) => `Change the contact “${name}”`,
  closeCommitment: (text: string) => `Close the promise “${text}”`,
  syncBookings: 'Fetch bookings from the booking provider',
  /** Without other guests, `guests` is empty. */
  createEvent: (title: string, when: string, guests: string) =>
    `Create “${title}” on ${when}${guests === '' ? '' : ` with ${guests}`}`,
  moveEvent: (title: string, from: string, to: string) => `Move “${title}” from ${from} to ${to}`,
  changeEvent: (title: string, when: string) => `Change “${title}” on ${when}`,
  cancelEvent: (title: string, when: string) => `Cancel “${title}” on ${when}`,
  deleteEvent: (title: string, when: string) => `Delete “${title}” on ${when}`,
  /** Appended to one of the texts above. */
  wholeSeries: ', the whole series',
  mayNotify: (guests: string) => ` (guests may be notified: ${guests})`,
  andMore: (count: number) => `and ${count} more`,
  send: (subject: string, to: string) => `Send “${subject}” to ${to}`,
  trash: (subject: string) => `Move the email “${subject}” to the trash`,
  createRule: (name: string, condition: string) =>
    `Add the mail rule “${name}” for mail that matches “${condition}”`,
  deleteRule: (name: string) => `Delete the mail rule “${name}”`,
  startStream: (name: string) => (name === '' ? 'Start the stream' : `Start the stream “${name}”`),
  stopStream: 'Stop the stream',
  changeStream: (name: string) => `Change the stream to “${name}”`,
  auditPage: (url: string) => `Fetch and audit the page ${url}`,
  bookPlan: (count: number, named: readonly string[]) =>
    `Add ${count} ${count === 1 ? 'block' : 'blocks'} to the calendar: ${named.join(', ')}${count > named.length ? ' …' : ''}`,
  changeEmails: (
    change: EmailsChangeName,
    { count, more }: Counted,
    examples: readonly string[],
    tag: string,
  ) => {
    const emails = `${more ? 'the newest ' : ''}${count} ${count === 1 ? 'email' : 'emails'}`
    const text = {
      archive: `Archive ${emails}`,
      trash: `Move ${emails} to the trash`,
      read: `Mark ${emails} as read`,
      unread: `Mark ${emails} as unread`,
      star: `Star ${emails}`,
      unstar: `Remove the star of ${emails}`,
      tag: `Tag ${emails} with #${tag}`,
      move: `Move ${emails} to “${tag}”`,
    }[change]
    return `${text}${quoteAll(examples, count)}`
  },
  changeTasks: (
    change: TasksChangeName,
    { count, more }: Counted,
    examples: readonly string[],
    due: string,
  ) => {
    const tasks = `${more ? 'the first ' : ''}${count} ${count === 1 ? 'task' : 'tasks'}`
    const text = {
      complete: `Complete ${tasks}`,
      delete: `Delete ${tasks}`,
      move: `Move ${tasks} to ${due}`,
    }[change]
    return `${text}${quoteAll(examples, count)}`
  },
  unsubscribe: (list: string, to: string) => `Unsubscribe from “${list}” (sends a request to ${to})`,
  /** Appended to the text of a new rule. */
  ruleEffects: (effects: readonly string[], { count, more }: Counted) =>
    `: ${effects.join(', ')}. ${count === 0 ? 'No email matches yet' : `${more ? 'More than ' : ''}${count} ${count === 1 ? 'email matches' : 'emails match'} already`}`,
  ruleEffect: {
    archive: 'archive it',
    trash: 'move it to the trash',
    read: 'mark it as read',
    starred: 'star it',
    task: 'create a task',
    pinned: 'pin it',
    snooze: 'snooze it',
    tags: (tags: string) => `tag it with ${tags}`,
    folder: (name: string) => `move it to “${name}”`,
  },
  invite: (title: string, guests: string) => `Send an invitation for “${title}” to ${guests}`,
  locale: 'en-GB',
}

type ProposalTexts = typeof ENGLISH

const GERMAN: ProposalTexts = {
  createTask: (title, due) => `Die Aufgabe „${title}“${due === '' ? '' : `, fällig ${due},`} anlegen`,
  completeTask: (title) => `Die Aufgabe „${title}“ als erledigt markieren`,
  changeTask: (title) => `Die Aufgabe „${title}“ ändern`,
  deleteTask: (title) => `Die Aufgabe „${title}“ löschen`,
  comment: (title, text) => `„${title}“ kommentieren: ${text}`,
  startTimer: (title) => `Die Stoppuhr für „${title}“ starten`,
  stopTimer: (title) => `Die Stoppuhr für „${title}“ anhalten`,
  draft: (subject, to) => `Den Entwurf „${subject}“${to === '' ? '' : ` an ${to}`} speichern`,
  snooze: (subject, until) => `„${subject}“ bis ${until} zurückstellen`,
  endSnooze: (subject) => `„${subject}“ nicht länger zurückstellen`,
  pin: (subject) => `„${subject}“ anheften`,
  unpin: (subject) => `„${subject}“ nicht länger anheften`,
  followUp: (subject, by) => `Dich an „${subject}“ erinnern, wenn bis ${by} niemand antwortet`,
  endFollowUp: (subject) => `Die Erinnerung an „${subject}“ entfernen`,
  unarchive: (subject) => `„${subject}“ in den Posteingang verschieben`,
  removeTag: (subject, tag) => `#${tag} von „${subject}“ entfernen`,
  createContact: (name, addresses) =>
    `Den Kontakt „${name}“${addresses === '' ? '' : ` (${addresses})`} anlegen`,
  changeContact: (name) => `Den Kontakt „${name}“ ändern`,
  closeCommitment: (text) => `Die Zusage „${text}“ abschließen`,
  syncBookings: 'Buchungen vom Buchungsanbieter abrufen',
  createEvent: (title, when, guests) =>
    `„${title}“ am ${when}${guests === '' ? '' : ` mit ${guests}`} anlegen`,
  moveEvent: (title, from, to) => `„${title}“ von ${from} auf ${to} verschieben`,
  changeEvent: (title, when) => `„${title}“ vom ${when} ändern`,
  cancelEvent: (title, when) => `„${title}“ vom ${when} absagen`,
  deleteEvent: (title, when) => `„${title}“ vom ${when} löschen`,
  wholeSeries: ', die ganze Serie',
  mayNotify: (guests) => ` (Gäste werden möglicherweise benachrichtigt: ${guests})`,
  andMore: (count) => `und ${count} weitere`,
  send: (subject, to) => `„${subject}“ an ${to} senden`,
  trash: (subject) => `Die E-Mail „${subject}“ in den Papierkorb verschieben`,
  createRule: (name, condition) =>
    `Die E-Mail-Regel „${name}“ für E-Mails anlegen, auf die „${condition}“ zutrifft`,
  deleteRule: (name) => `Die E-Mail-Regel „${name}“ löschen`,
  startStream: (name) => (name === '' ? 'Den Stream starten' : `Den Stream „${name}“ starten`),
  stopStream: 'Den Stream beenden',
  changeStream: (name) => `Den Stream in „${name}“ ändern`,
  auditPage: (url) => `Die Seite ${url} abrufen und prüfen`,
  bookPlan: (count, named) =>
    `${count === 1 ? 'Einen Block' : `${count} Blöcke`} in den Kalender eintragen: ${named.join(', ')}${count > named.length ? ' …' : ''}`,
  changeEmails: (change, { count, more }, examples, tag) => {
    const emails = `${more ? 'Die neuesten ' : ''}${count} ${count === 1 ? 'E-Mail' : 'E-Mails'}`
    const text = {
      archive: `${emails} archivieren`,
      trash: `${emails} in den Papierkorb verschieben`,
      read: `${emails} als gelesen markieren`,
      unread: `${emails} als ungelesen markieren`,
      star: `${emails} mit einem Stern markieren`,
      unstar: `Den Stern von ${emails} entfernen`,
      tag: `${emails} mit #${tag} markieren`,
      move: `${emails} nach „${tag}“ verschieben`,
    }[change]
    return `${text}${quoteAll(examples, count).replaceAll('“', '„').replaceAll('”', '“')}`
  },
  changeTasks: (change, { count, more }, examples, due) => {
    const tasks = `${more ? 'Die ersten ' : ''}${count} ${count === 1 ? 'Aufgabe' : 'Aufgaben'}`
    const text = {
      complete: `${tasks} als erledigt markieren`,
      delete: `${tasks} löschen`,
      move: `${tasks} auf ${due} verschieben`,
    }[change]
    return `${text}${quoteAll(examples, count).replaceAll('“', '„').replaceAll('”', '“')}`
  },
  unsubscribe: (list, to) => `„${list}“ abbestellen (sendet eine Anfrage an ${to})`,
  ruleEffects: (effects, { count, more }) =>
    `: ${effects.join(', ')}. ${count === 0 ? 'Noch passt keine E-Mail dazu' : `${more ? 'Mehr als ' : ''}${count} ${count === 1 ? 'E-Mail passt' : 'E-Mails passen'} schon dazu`}`,
  ruleEffect: {
    archive: 'archivieren',
    trash: 'in den Papierkorb verschieben',
    read: 'als gelesen markieren',
    starred: 'mit einem Stern markieren',
    task: 'eine Aufgabe anlegen',
    pinned: 'anheften',
    snooze: 'zurückstellen',
    tags: (tags) => `mit ${tags} markieren`,
    folder: (name) => `nach „${name}“ verschieben`,
  },
  invite: (title, guests) => `Eine Einladung zu „${title}“ an ${guests} senden`,
  locale: 'de',
}

/** Returns the texts that describe an action to the person who confirms it. */
export const getProposalTexts = (language: Language = 'en'): ProposalTexts =>
  language === 'de' ? GERMAN : ENGLISH

/** Formats the start of an event in the timezone of the person. An all-day event keeps its own timezone. */
export const formatStart = (
  event: { start: string; allDay?: unknown; timezone?: unknown },
  person: string,
  language: Language = 'en',
): string => {
  const isDay = event.allDay === true
  return new Intl.DateTimeFormat(getProposalTexts(language).locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(!isDay && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: isDay && typeof event.timezone === 'string' ? event.timezone : person,
  }).format(new Date(event.start))
}

const MAX_NAMED = 5

export const listGuests = (guests: readonly string[], language: Language = 'en'): string => {
  const named = guests.slice(0, MAX_NAMED).join(', ')
  const more = guests.length - MAX_NAMED
  return more > 0 ? `${named} ${getProposalTexts(language).andMore(more)}` : named
}
