import type { Abstention } from '../../../../engine/intents/vocabulary.ts'
import type { Because } from '../../asking.ts'

/** What the built-in engine says, in the languages that it understands. */
export interface Words {
  locale: string
  allDay: string
  due: string
  and: string
  someone: string
  nothing: Record<'tasks' | 'events' | 'mails' | 'free' | 'waiting', string>
  notShown: string
  unknown: {
    task: (words: string) => string
    event: string
    mail: string
    place: (words: string) => string
  }
  which: (kind: 'task' | 'event' | 'mail', list: string) => string
  whichMail: string
  when: string
  address: (name: string) => string
  waits: (summary: string) => string
  more: string
  atLeast: (count: string) => string
  added: (title: string, due: string | undefined) => string
  deleted: string
  isDone: (title: string) => string
  reopened: (title: string) => string
  changed: (title: string) => string
  nowDue: (title: string, due: string) => string
  booked: (title: string, at: string) => string
  cancelled: (title: string) => string
  renamed: (title: string) => string
  moved: (title: string, at: string) => string
  marked: (subject: string) => string
  archived: (subject: string) => string
  allMarked: (count: number) => string
  trashed: string
  drafted: (gaps: number) => string
  hello: (name: string) => string
  inDays: (days: number) => string
  count: (count: number, what: 'mails' | 'tasks' | 'events', mark: string | undefined) => string
  figures: (figures: {
    unread: number
    urgent: number
    open: number
    overdue: number
    today: number
    week: number
  }) => string
  reasons: Record<Abstention['reason'], string>
  /** Why it is the built-in engine that did not understand. */
  because: Record<Because, string>
  hint: string
}

const several = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const ENGLISH: Words = {
  locale: 'en-GB',
  allDay: 'all day',
  due: 'due',
  and: 'and',
  someone: 'someone',
  nothing: {
    tasks: 'There are no such tasks.',
    events: 'There is nothing in the calendar.',
    mails: 'There are no such e-mails.',
    free: 'There is no free time then.',
    waiting: 'Nobody waits for an answer.',
  },
  notShown: 'This token may not see that.',
  unknown: {
    task: (words) => `There is no open task like “${words}”.`,
    event: 'I did not find that event.',
    mail: 'I did not find that e-mail.',
    place: (words) => `I do not know the time in ${words}.`,
  },
  which: (kind, list) =>
    `Several ${{ task: 'tasks', event: 'events', mail: 'e-mails' }[kind]} fit; I have done nothing yet. Say it again with a word more, or its day:\n${list}`,
  whichMail: 'Which e-mail do you mean? Say from whom it is, or what it is about.',
  when: 'When should that be?',
  address: (name) => `I do not know the address of ${name}: name it, or answer a mail of theirs.`,
  waits: (summary) => `${summary}? It waits for your confirmation.`,
  more: 'There are more.',
  atLeast: (count) => `At least ${count}`,
  added: (title, due) => `I added the task “${title}”${due === undefined ? '' : `, due ${due}`}.`,
  deleted: 'Deleted.',
  isDone: (title) => `“${title}” is done.`,
  reopened: (title) => `“${title}” is open again.`,
  changed: (title) => `I changed “${title}”.`,
  nowDue: (title, due) => `“${title}” is now due ${due}.`,
  booked: (title, at) => `“${title}” is in the calendar, ${at}.`,
  cancelled: (title) => `“${title}” is cancelled.`,
  renamed: (title) => `It is now “${title}”.`,
  moved: (title, at) => `“${title}” is now at ${at}.`,
  marked: (subject) => `“${subject}” is marked.`,
  archived: (subject) => `“${subject}” is in the archive.`,
  allMarked: (count) => `Done with ${several(count, 'e-mail', 'e-mails')}.`,
  trashed: 'It is in the trash.',
  drafted: (gaps) =>
    gaps === 0
      ? 'The draft is ready in your drafts.'
      : `The draft is ready in your drafts; ${several(gaps, 'gap is', 'gaps are')} left for you in [brackets].`,
  hello: (name) => `Hello${name === '' ? '' : ` ${name}`},`,
  inDays: (days) => (days === 0 ? 'That is today.' : `In ${several(days, 'day', 'days')}.`),
  count: (count, what, mark) => {
    const [one, many] = {
      mails: ['e-mail', 'e-mails'],
      tasks: ['task', 'tasks'],
      events: ['event', 'events'],
    }[what] as [string, string]
    return `${count === 0 ? 'No' : count}${mark === undefined ? '' : ` ${mark}`} ${count === 1 ? one : many}.`
  },
  figures: ({ unread, urgent, open, overdue, today, week }) =>
    `E-mails: ${unread} unread, ${urgent} urgent. Tasks: ${open} open, ${overdue} overdue. Events: ${today} today, ${week} in the next 7 days.`,
  reasons: {
    out_of_scope: 'That is not something I can do here',
    unclear: 'I did not understand that',
    incomplete: 'Something is missing',
    too_long: 'That is too long for the built-in engine',
    empty: 'There was nothing to do',
  },
  because: {
    no_key: 'No language model is set up, and the built-in engine answers.',
    spending_limit: 'What may be spent on language models today is spent, and the built-in engine answers.',
    provider_failed: 'The language model did not answer, and the built-in engine does.',
    private: 'This stays on this machine, and the built-in engine answers.',
    not_needed: 'The built-in engine answers.',
  },
  hint: 'I can look after tasks, events and e-mails: “add a task to pay the rent by Friday”, “what do I have tomorrow”, “find me a free hour next week”, “which mails are urgent”, “archive the mail from Ana”.',
}

const GERMAN: Words = {
  locale: 'de-DE',
  allDay: 'ganztägig',
  due: 'fällig',
  and: 'und',
  someone: 'jemand',
  nothing: {
    tasks: 'Solche Aufgaben gibt es nicht.',
    events: 'Im Kalender steht nichts.',
    mails: 'Solche E-Mails gibt es nicht.',
    free: 'Dann ist keine Zeit frei.',
    waiting: 'Niemand wartet auf eine Antwort.',
  },
  notShown: 'Dieses Token darf das nicht sehen.',
  unknown: {
    task: (words) => `Eine offene Aufgabe wie „${words}“ gibt es nicht.`,
    event: 'Diesen Termin habe ich nicht gefunden.',
    mail: 'Diese E-Mail habe ich nicht gefunden.',
    place: (words) => `Die Uhrzeit in ${words} kenne ich nicht.`,
  },
  which: (kind, list) =>
    `Mehrere ${{ task: 'Aufgaben', event: 'Termine', mail: 'E-Mails' }[kind]} passen; getan ist noch nichts. Sag es mit einem Wort mehr, oder mit dem Tag:\n${list}`,
  whichMail: 'Welche E-Mail ist gemeint? Sag, von wem sie ist oder wovon sie handelt.',
  when: 'Wann soll das sein?',
  address: (name) => `Die Adresse von ${name} kenne ich nicht: nenne sie, oder antworte auf eine Mail.`,
  waits: (summary) => `${summary}? Das wartet auf deine Bestätigung.`,
  more: 'Es gibt noch mehr.',
  atLeast: (count) => `Mindestens ${count}`,
  added: (title, due) => `Die Aufgabe „${title}“ ist angelegt${due === undefined ? '' : `, fällig ${due}`}.`,
  deleted: 'Gelöscht.',
  isDone: (title) => `„${title}“ ist erledigt.`,
  reopened: (title) => `„${title}“ ist wieder offen.`,
  changed: (title) => `„${title}“ ist geändert.`,
  nowDue: (title, due) => `„${title}“ ist jetzt ${due} fällig.`,
  booked: (title, at) => `„${title}“ steht im Kalender, ${at}.`,
  cancelled: (title) => `„${title}“ ist abgesagt.`,
  renamed: (title) => `Das heißt jetzt „${title}“.`,
  moved: (title, at) => `„${title}“ ist jetzt am ${at}.`,
  marked: (subject) => `„${subject}“ ist markiert.`,
  archived: (subject) => `„${subject}“ ist im Archiv.`,
  allMarked: (count) => `Erledigt für ${several(count, 'E-Mail', 'E-Mails')}.`,
  trashed: 'Sie liegt im Papierkorb.',
  drafted: (gaps) =>
    gaps === 0
      ? 'Der Entwurf liegt bei den Entwürfen.'
      : `Der Entwurf liegt bei den Entwürfen; ${several(gaps, 'Lücke ist', 'Lücken sind')} in [Klammern] für dich geblieben.`,
  hello: (name) => `Hallo${name === '' ? '' : ` ${name}`},`,
  inDays: (days) => (days === 0 ? 'Das ist heute.' : `In ${several(days, 'Tag', 'Tagen')}.`),
  count: (count, what, mark) => {
    const [one, many] = {
      mails: ['E-Mail', 'E-Mails'],
      tasks: ['Aufgabe', 'Aufgaben'],
      events: ['Termin', 'Termine'],
    }[what] as [string, string]
    const marks: Record<string, string> = {
      ...{ unread: 'ungelesen', urgent: 'dringend', unanswered: 'unbeantwortet', starred: 'markiert' },
      ...{ open: 'offen', overdue: 'überfällig', done: 'erledigt' },
    }
    return `${count === 0 ? 'Keine' : count} ${count === 1 ? one : many}${mark === undefined ? '' : ` (${marks[mark] ?? mark})`}.`
  },
  figures: ({ unread, urgent, open, overdue, today, week }) =>
    `E-Mails: ${unread} ungelesen, ${urgent} dringend. Aufgaben: ${open} offen, ${overdue} überfällig. Termine: ${today} heute, ${week} in den nächsten 7 Tagen.`,
  reasons: {
    out_of_scope: 'Das kann ich hier nicht',
    unclear: 'Das habe ich nicht verstanden',
    incomplete: 'Da fehlt etwas',
    too_long: 'Das ist zu lang für das eingebaute Programm',
    empty: 'Es gab nichts zu tun',
  },
  because: {
    no_key: 'Es ist kein Sprachmodell eingerichtet; die eingebaute Maschine antwortet.',
    spending_limit:
      'Was heute für Sprachmodelle ausgegeben werden darf, ist ausgegeben; die eingebaute Maschine antwortet.',
    provider_failed: 'Das Sprachmodell hat nicht geantwortet; die eingebaute Maschine antwortet.',
    private: 'Das bleibt auf diesem Rechner; die eingebaute Maschine antwortet.',
    not_needed: 'Die eingebaute Maschine antwortet.',
  },
  hint: 'Ich kümmere mich um Aufgaben, Termine und E-Mails: „Neue Aufgabe Miete zahlen bis Freitag“, „Was habe ich morgen?“, „Finde eine freie Stunde nächste Woche“, „Welche Mails sind dringend?“, „Archiviere die Mail von Ana“.',
}

export const wordsIn = (isGerman: boolean): Words => (isGerman ? GERMAN : ENGLISH)
