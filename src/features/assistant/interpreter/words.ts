import { ENGLISH_ABILITIES, GERMAN_ABILITIES } from './ability-words.ts'

type Figures = Record<'unread' | 'urgent' | 'open' | 'overdue' | 'today' | 'week', number>

/** Up to two hours in minutes, such as "90 minutes"; more in hours and minutes. */
const sayLength = (
  minutes: number,
  hours: (count: number) => string,
  rest: (count: number) => string,
): string => {
  if (minutes % 60 === 0) return hours(minutes / 60)
  return minutes < 120 ? rest(minutes) : `${hours(Math.floor(minutes / 60))} ${rest(minutes % 60)}`
}

const several = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Texts of the built-in engine, in the languages that it understands. */
const ENGLISH = {
  abilities: ENGLISH_ABILITIES,
  locale: 'en-GB',
  allDay: 'all day',
  due: 'due',
  and: 'and',
  withPeople: 'with',
  someone: 'someone',
  nothing: {
    tasks: 'No matching tasks.',
    events: 'No events found.',
    plans: 'No events and no due tasks.',
    mails: 'No matching emails.',
    free: 'You have no free time in that period.',
    waiting: 'No emails are waiting for your reply.',
  },
  /** Answers to "am I free at 10?". */
  isFree: (when: string) => `Yes, you are free: ${when}.`,
  isBusy: (list: string) => `No, you have:\n${list}`,
  noPlace: 'No location is stored.',
  noPeople: 'No guests are stored.',
  noAccess: 'This token has no access to that data.',
  unknown: {
    task: (words: string) => `I found no open task that matches “${words}”.`,
    event: 'I did not find that event.',
    mail: 'I did not find that email.',
    place: (words: string) => `I do not know the timezone of ${words}.`,
  },
  which: (kind: 'task' | 'event' | 'email', list: string) =>
    `Several ${{ task: 'tasks', event: 'events', email: 'emails' }[kind]} match. Which one do you mean?\n${list}`,
  /** The missing part of a request. */
  missing: (detail: string) =>
    ({
      'which task': 'Which task do you mean?',
      'which event': 'Which event do you mean?',
      'which email': 'Which email do you mean?',
      'the title of the task': 'What should the task be called?',
      'the title and the time': 'What is it, and when?',
      'the new time': 'What is the new time?',
      'the length': 'How long should it be?',
      'the recipient': 'Who should get the email?',
      'what to change': 'What should I change?',
    })[detail] ?? 'Tell me a little more.',
  /** Puts words into the quotation marks of the language. */
  quote: (words: string) => `“${words}”`,
  yes: 'Yes',
  no: 'No',
  none: 'None of them',
  nothingDone: 'I have not changed anything.',
  nothingToUndo: 'There is nothing to undo in this conversation.',
  nothingToSend: 'There is no draft in this conversation. Tell me what to write, and to whom.',
  undone: (what: string) => `Undone: ${what}.`,
  askUndo: (what: string) => `The last change in this conversation was ${what}. Should I undo it?`,
  /** A change without a name. */
  lastChange: 'the last change',
  rejected: 'I will not do it.',
  confirmed: 'Done.',
  /** Asks before a doubtful change. */
  shall: {
    task: (what: string) => `Should I add the task ${what}?`,
    event: (what: string) => `Should I add ${what} to the calendar?`,
    change: (what: string) => `Should I change ${what}?`,
    mail: (what: string) => `Should I write a draft ${what}?`,
    cancel: (what: string) => `Should I cancel ${what}?`,
    delete: (what: string) => `Should I delete ${what}?`,
    complete: (what: string) => `Should I mark ${what} as done?`,
  },
  shallMove: (what: string, when: string) => `Should I move ${what} to ${when}?`,
  whichHour: (what: string) => `In the morning or in the evening: ${what}?`,
  inThePast: (when: string) => `${when} is in the past. When should it be?`,
  details: {
    due: (when: string) => `due ${when}`,
    reminder: (when: string) => `reminder ${when}`,
    repeats: (how: string) => `repeats ${how}`,
    priority: (level: string) => `${level} priority`,
    list: (name: string) => `list “${name}”`,
    estimate: (length: string) => `takes ${length}`,
    people: (names: string) => `with ${names}`,
    place: (name: string) => `location: ${name}`,
    every: {
      DAILY: (interval: number) => (interval === 1 ? 'every day' : `every ${interval} days`),
      WEEKLY: (interval: number) => (interval === 1 ? 'every week' : `every ${interval} weeks`),
      MONTHLY: (interval: number) => (interval === 1 ? 'every month' : `every ${interval} months`),
      YEARLY: (interval: number) => (interval === 1 ? 'every year' : `every ${interval} years`),
    },
    on: (days: string) => `on ${days}`,
    until: (day: string) => `until ${day}`,
    times: (count: number) => `${several(count, 'time', 'times')} in total`,
    length: (minutes: number) =>
      sayLength(
        minutes,
        (hours) => several(hours, 'hour', 'hours'),
        (rest) => several(rest, 'minute', 'minutes'),
      ),
  },
  whichMail: 'Which email do you mean? Tell me the sender or the subject.',
  when: 'When should that be?',
  whatTime: 'At what time?',
  welcome: 'You’re welcome.',
  address: (name: string) =>
    `I do not know the email address of ${name}. Give me the address, or reply to one of their emails.`,
  waits: (summary: string) => `${summary}? Please confirm.`,
  /** A typed yes does not confirm this action. */
  waitsForButton: (summary: string) => `${summary}? Press the button to confirm.`,
  pressButton: 'A typed yes is not enough for that. Press the button to confirm it.',
  more: 'There are more.',
  atLeast: (count: string) => `At least ${count}`,
  added: (title: string, details: string) =>
    `I added the task “${title}”${details === '' ? '' : `: ${details}`}.`,
  deleted: 'Deleted.',
  isDone: (title: string) => `“${title}” is done.`,
  reopened: (title: string) => `“${title}” is open again.`,
  changed: (title: string, details: string) => `I changed “${title}”${details === '' ? '' : `: ${details}`}.`,
  /** People were added to an event. */
  joined: (names: string, title: string) => `Added ${names} to “${title}”.`,
  booked: (title: string, at: string) => `“${title}” is in the calendar: ${at}.`,
  cancelled: (title: string) => `“${title}” is cancelled.`,
  renamed: (title: string) => `It is now “${title}”.`,
  moved: (title: string, at: string) => `“${title}” is now at ${at}.`,
  marked: (subject: string) => `I updated “${subject}”.`,
  archived: (subject: string) => `I archived “${subject}”.`,
  allMarked: (count: number) => `I updated ${several(count, 'email', 'emails')}.`,
  trashed: 'I moved it to the trash.',
  drafted: (to: string, gaps: number) =>
    gaps === 0
      ? `I saved the draft${to === '' ? '' : ` to ${to}`}.`
      : `I saved the draft${to === '' ? '' : ` to ${to}`}. Fill in the ${several(gaps, 'gap', 'gaps')} in [brackets].`,
  hello: (name: string) => `Hello${name === '' ? '' : ` ${name}`},`,
  inDays: (days: number) => (days === 0 ? 'That is today.' : `In ${several(days, 'day', 'days')}.`),
  count: (count: number, what: 'mails' | 'tasks' | 'events', mark: string | undefined) => {
    const [one, many] = {
      mails: ['email', 'emails'],
      tasks: ['task', 'tasks'],
      events: ['event', 'events'],
    }[what] as [string, string]
    return `${count === 0 ? 'No' : count}${mark === undefined ? '' : ` ${mark}`} ${count === 1 ? one : many}.`
  },
  figures: ({ unread, urgent, open, overdue, today, week }: Figures) =>
    `Emails: ${unread} unread, ${urgent} urgent. Tasks: ${open} open, ${overdue} overdue. Events: ${today} today, ${week} in the next 7 days.`,
  reasons: {
    out_of_scope: 'I can’t do that',
    unclear: 'I did not understand that',
    incomplete: 'Some information is missing',
    too_long: 'The message is too long for the built-in assistant',
    empty: 'The message is empty',
  },
  /** Explains why the built-in engine answered instead of a model. */
  because: {
    no_key: 'No language model is configured, so the built-in assistant is answering.',
    spending_limit:
      'The spending limit for language models is reached for today, so the built-in assistant is answering.',
    provider_failed: 'The language model did not respond, so the built-in assistant is answering.',
    private: 'This is private and stays on your server, so the built-in assistant is answering.',
    not_needed: 'The built-in assistant is answering.',
  },
  examples:
    'Try: “add a task to pay the rent by Friday”, “what do I have tomorrow”, “find me a free hour next week” or “summarise my unread mail”.',
  hint: 'I can help with tasks, events and emails: “add a task to pay the rent by Friday”, “what do I have tomorrow”, “find me a free hour next week”, “summarise my unread mail”, “what should I work on first”, “plan my tasks for tomorrow”, “archive the mail from Ana”.',
}

export type ReplyTexts = typeof ENGLISH

const GERMAN: ReplyTexts = {
  abilities: GERMAN_ABILITIES,
  locale: 'de-DE',
  allDay: 'ganztägig',
  due: 'fällig',
  and: 'und',
  withPeople: 'mit',
  someone: 'jemand',
  nothing: {
    tasks: 'Keine passenden Aufgaben.',
    events: 'Keine Termine gefunden.',
    plans: 'Keine Termine und keine fälligen Aufgaben.',
    mails: 'Keine passenden E-Mails.',
    free: 'In diesem Zeitraum ist keine Zeit frei.',
    waiting: 'Keine E-Mail wartet auf deine Antwort.',
  },
  isFree: (when) => `Ja, du hast Zeit: ${when}.`,
  isBusy: (list) => `Nein, da hast du schon etwas:\n${list}`,
  noPlace: 'Ein Ort ist nicht gespeichert.',
  noPeople: 'Gäste sind nicht gespeichert.',
  noAccess: 'Dieses Token hat keinen Zugriff auf diese Daten.',
  unknown: {
    task: (words) => `Ich habe keine offene Aufgabe gefunden, die zu „${words}“ passt.`,
    event: 'Diesen Termin habe ich nicht gefunden.',
    mail: 'Diese E-Mail habe ich nicht gefunden.',
    place: (words) => `Die Zeitzone von ${words} kenne ich nicht.`,
  },
  which: (kind, list) =>
    `Mehrere ${{ task: 'Aufgaben', event: 'Termine', email: 'E-Mails' }[kind]} passen. ${kind === 'event' ? 'Welchen' : 'Welche'} meinst du?\n${list}`,
  missing: (detail) =>
    ({
      'which task': 'Welche Aufgabe meinst du?',
      'which event': 'Welchen Termin meinst du?',
      'which email': 'Welche E-Mail meinst du?',
      'the title of the task': 'Wie soll die Aufgabe heißen?',
      'the title and the time': 'Was ist es, und wann?',
      'the new time': 'Auf wann soll ich ihn verschieben?',
      'the length': 'Wie lange soll er dauern?',
      'the recipient': 'An wen geht die E-Mail?',
      'what to change': 'Was soll ich ändern?',
    })[detail] ?? 'Sag mir bitte etwas mehr.',
  quote: (words) => `„${words}“`,
  yes: 'Ja',
  no: 'Nein',
  none: 'Nichts davon',
  nothingDone: 'Ich habe nichts geändert.',
  nothingToUndo: 'In dieser Unterhaltung gibt es nichts rückgängig zu machen.',
  nothingToSend: 'In dieser Unterhaltung gibt es keinen Entwurf. Sag mir, was ich wem schreiben soll.',
  undone: (what) => `Rückgängig gemacht: ${what}.`,
  askUndo: (what) => `In dieser Unterhaltung zuletzt geändert: ${what}. Soll ich das rückgängig machen?`,
  lastChange: 'die letzte Änderung',
  rejected: 'Ich mache es nicht.',
  confirmed: 'Erledigt.',
  shall: {
    task: (what) => `Soll ich die Aufgabe ${what} anlegen?`,
    event: (what) => `Soll ich ${what} in den Kalender eintragen?`,
    change: (what) => `Soll ich ${what} ändern?`,
    mail: (what) => `Soll ich einen Entwurf ${what} schreiben?`,
    cancel: (what) => `Soll ich ${what} absagen?`,
    delete: (what) => `Soll ich ${what} löschen?`,
    complete: (what) => `Soll ich ${what} als erledigt markieren?`,
  },
  shallMove: (what, when) => `Soll ich ${what} auf ${when} verschieben?`,
  whichHour: (what) => `Morgens oder abends: ${what}?`,
  inThePast: (when) => `${when} liegt in der Vergangenheit. Wann soll es sein?`,
  details: {
    due: (when) => `fällig ${when}`,
    reminder: (when) => `Erinnerung ${when}`,
    repeats: (how) => `wiederholt sich ${how}`,
    priority: (level) =>
      ({
        urgent: 'dringend',
        high: 'hohe Priorität',
        normal: 'normale Priorität',
        low: 'niedrige Priorität',
      })[level] ?? level,
    list: (name) => `Liste „${name}“`,
    estimate: (length) => `dauert ${length}`,
    people: (names) => `mit ${names}`,
    place: (name) => `Ort: ${name}`,
    every: {
      DAILY: (interval) => (interval === 1 ? 'jeden Tag' : `alle ${interval} Tage`),
      WEEKLY: (interval) => (interval === 1 ? 'jede Woche' : `alle ${interval} Wochen`),
      MONTHLY: (interval) => (interval === 1 ? 'jeden Monat' : `alle ${interval} Monate`),
      YEARLY: (interval) => (interval === 1 ? 'jedes Jahr' : `alle ${interval} Jahre`),
    },
    on: (days) => `am ${days}`,
    until: (day) => `bis ${day}`,
    times: (count) => `insgesamt ${several(count, 'Mal', 'Mal')}`,
    length: (minutes) =>
      sayLength(
        minutes,
        (hours) => several(hours, 'Stunde', 'Stunden'),
        (rest) => several(rest, 'Minute', 'Minuten'),
      ),
  },
  whichMail: 'Welche E-Mail meinst du? Nenne mir den Absender oder den Betreff.',
  when: 'Wann soll das sein?',
  whatTime: 'Um wie viel Uhr?',
  welcome: 'Gern geschehen.',
  address: (name) =>
    `Die E-Mail-Adresse von ${name} kenne ich nicht. Nenne sie mir, oder antworte auf eine E-Mail von dort.`,
  waits: (summary) => `${summary}? Bitte bestätige das.`,
  waitsForButton: (summary) => `${summary}? Drücke zum Bestätigen die Schaltfläche.`,
  pressButton: 'Ein getipptes Ja reicht dafür nicht. Drücke zum Bestätigen die Schaltfläche.',
  more: 'Es gibt noch mehr.',
  atLeast: (count) => `Mindestens ${count}`,
  added: (title, details) => `Die Aufgabe „${title}“ ist angelegt${details === '' ? '' : `: ${details}`}.`,
  deleted: 'Gelöscht.',
  isDone: (title) => `„${title}“ ist erledigt.`,
  reopened: (title) => `„${title}“ ist wieder offen.`,
  changed: (title, details) => `„${title}“ ist geändert${details === '' ? '' : `: ${details}`}.`,
  joined: (names, title) => `${names} zu „${title}“ hinzugefügt.`,
  booked: (title, at) => `„${title}“ steht im Kalender: ${at}.`,
  cancelled: (title) => `„${title}“ ist abgesagt.`,
  renamed: (title) => `Das heißt jetzt „${title}“.`,
  moved: (title, at) => `„${title}“ ist jetzt am ${at}.`,
  marked: (subject) => `Ich habe „${subject}“ aktualisiert.`,
  archived: (subject) => `Ich habe „${subject}“ archiviert.`,
  allMarked: (count) => `Ich habe ${several(count, 'E-Mail', 'E-Mails')} aktualisiert.`,
  trashed: 'Ich habe sie in den Papierkorb verschoben.',
  drafted: (to, gaps) =>
    gaps === 0
      ? `Ich habe den Entwurf${to === '' ? '' : ` an ${to}`} gespeichert.`
      : `Ich habe den Entwurf${to === '' ? '' : ` an ${to}`} gespeichert. Fülle noch ${several(gaps, 'Lücke', 'Lücken')} in [Klammern] aus.`,
  hello: (name) => `Hallo${name === '' ? '' : ` ${name}`},`,
  inDays: (days) => (days === 0 ? 'Das ist heute.' : `In ${several(days, 'Tag', 'Tagen')}.`),
  count: (count, what, mark) => {
    const [one, many] = {
      mails: ['E-Mail', 'E-Mails'],
      tasks: ['Aufgabe', 'Aufgaben'],
      events: ['Termin', 'Termine'],
    }[what] as [string, string]
    const marks: Record<string, string> = {
      unread: 'ungelesen',
      urgent: 'dringend',
      unanswered: 'unbeantwortet',
      starred: 'markiert',
      open: 'offen',
      overdue: 'überfällig',
      done: 'erledigt',
    }
    return `${count === 0 ? 'Keine' : count} ${count === 1 ? one : many}${mark === undefined ? '' : ` (${marks[mark] ?? mark})`}.`
  },
  figures: ({ unread, urgent, open, overdue, today, week }) =>
    `E-Mails: ${unread} ungelesen, ${urgent} dringend. Aufgaben: ${open} offen, ${overdue} überfällig. Termine: ${today} heute, ${week} in den nächsten 7 Tagen.`,
  reasons: {
    out_of_scope: 'Das kann ich hier nicht',
    unclear: 'Das habe ich nicht verstanden',
    incomplete: 'Es fehlen Angaben',
    too_long: 'Die Nachricht ist zu lang für den eingebauten Assistenten',
    empty: 'Die Nachricht ist leer',
  },
  because: {
    no_key: 'Es ist kein Sprachmodell eingerichtet, deshalb antwortet der eingebaute Assistent.',
    spending_limit:
      'Das Ausgabenlimit für Sprachmodelle ist für heute erreicht, deshalb antwortet der eingebaute Assistent.',
    provider_failed: 'Das Sprachmodell hat nicht geantwortet, deshalb antwortet der eingebaute Assistent.',
    private: 'Das ist privat und bleibt auf deinem Server, deshalb antwortet der eingebaute Assistent.',
    not_needed: 'Der eingebaute Assistent antwortet.',
  },
  examples:
    'Versuche: „Neue Aufgabe Miete zahlen bis Freitag“, „Was habe ich morgen?“, „Finde eine freie Stunde nächste Woche“ oder „Fasse meine ungelesenen Mails zusammen“.',
  hint: 'Ich kann bei Aufgaben, Terminen und E-Mails helfen: „Neue Aufgabe Miete zahlen bis Freitag“, „Was habe ich morgen?“, „Finde eine freie Stunde nächste Woche“, „Fasse meine ungelesenen Mails zusammen“, „Womit soll ich anfangen?“, „Plane meine Aufgaben für morgen“, „Archiviere die Mail von Ana“.',
}

export const getReplyTexts = (isGerman: boolean): ReplyTexts => (isGerman ? GERMAN : ENGLISH)
