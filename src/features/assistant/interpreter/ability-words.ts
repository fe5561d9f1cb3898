import type { Unanswerable } from '../../../nlu/drafts/unanswerable.ts'
import type { PriorityReason } from '../tools/contracts/overview.ts'

const several = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const ENGLISH = {
  unreadCount: (count: string) => `${count} unread`,
  mailCount: (count: string, sender: string | undefined) =>
    `${count} ${count === '1' ? 'email' : 'emails'}${sender ? ` from ${sender}` : ''}`,
  mostImportant: (count: number) =>
    count === 1 ? 'the most important one' : `the ${count} most important ones`,
  newsletters: (count: number, senders: string) =>
    `${several(count, 'newsletter or notification', 'newsletters and notifications')} (${senders})`,
  others: (count: number) => `${several(count, 'other email', 'other emails')}`,
  also: (rest: string) => `Also: ${rest}.`,
  noMail: 'No matching emails.',
  noText: 'The email has no text.',
  suggestion: 'You could answer:',
  saveDraft: 'Should I save this as a draft?',
  attention: 'This needs your attention:',
  first: (title: string) => `Start with “${title}”.`,
  nothingUrgent: 'Nothing is due or urgent.',
  freeToday: (length: string) => `You have ${length} of free working time left today.`,
  reason: (reason: PriorityReason, length: (minutes: number) => string) => {
    switch (reason.code) {
      case 'overdue':
        return reason.days === 0 ? 'overdue' : `overdue for ${several(reason.days, 'day', 'days')}`
      case 'due_today':
        return 'due today'
      case 'due_tomorrow':
        return 'due tomorrow'
      case 'due_soon':
        return `due in ${reason.days} days`
      case 'priority':
        return `${reason.level} priority`
      case 'fits_free_time':
        return 'fits into your free time'
      case 'urgent_mail':
        return reason.level === 'critical' ? 'critical email' : 'urgent email'
      case 'waiting':
        return 'waits for your reply'
      case 'promised':
        return 'you promised it for today'
      case 'promise_overdue':
        return 'you promised it, and it is overdue'
      case 'starts_soon':
        return `starts in ${length(reason.minutes)}`
    }
  },
  from: (person: string) => `from ${person}`,
  withoutPeople: (names: string) => `without ${names}`,
  whichPerson: (name: string, list: string) => `Which ${name} do you mean?\n${list}`,
  plan: (count: number) => `I propose ${several(count, 'block', 'blocks')}:`,
  noPlan: 'There is nothing to plan: no open tasks, or no free working time.',
  unplanned: (titles: string) => `No time found for: ${titles}.`,
  adjust: 'You can still move, resize or remove blocks.',
  snoozed: (subject: string, until: string) => `I snoozed “${subject}” until ${until}.`,
  untilWhen: 'Until when should I snooze it?',
  noList: (name: string) => `I found no newsletter or mailing list called “${name}”.`,
  whichList: 'Which one do you mean?',
  alreadyUnsubscribed: (name: string) => `You have already unsubscribed from “${name}”.`,
  onlyOnPage: (name: string, url: string) => `“${name}” can only be unsubscribed on its own page: ${url}`,
  noFolder: (name: string) => `There is no mail folder called “${name}”.`,
  noMatch: 'No email matches. I have not changed anything.',
  noTasks: 'No task matches. I have not changed anything.',
  noTaskList: (name: string) => `There is no task list or tag called “${name}”.`,
  unknownCalendars: (names: string) =>
    `I cannot see the calendar of ${names}, so these are your own free times.`,
  accept: (when: string | undefined) => (when ? `${when} works for me.` : 'Yes, that works for me.'),
  decline: (when: string | undefined) =>
    when ? `unfortunately, ${when} does not work for me.` : 'unfortunately, that does not work for me.',
  inCalendar: (name: string) => `calendar “${name}”`,
  noAddress: (name: string) => `I do not know the email address of ${name}, so no invitation can be sent.`,
  ruleName: (sender: string) => `Mail from ${sender}`,
}

/** Texts of the abilities, in the languages that the built-in engine understands. */
export type AbilityTexts = typeof ENGLISH & {
  unanswerable: Record<Unanswerable, string> | null
  /** Texts by error code. Null: the messages of the server have this language. */
  refusals: Readonly<Record<string, string>> | null
}

export const ENGLISH_ABILITIES: AbilityTexts = {
  ...ENGLISH,
  unanswerable: null,
  refusals: null,
}

export const GERMAN_ABILITIES: AbilityTexts = {
  unreadCount: (count) => `${count} ungelesen`,
  mailCount: (count, sender) =>
    `${count} ${count === '1' ? 'E-Mail' : 'E-Mails'}${sender ? ` von ${sender}` : ''}`,
  mostImportant: (count) => (count === 1 ? 'die wichtigste' : `die ${count} wichtigsten`),
  newsletters: (count, senders) =>
    `${several(count, 'Newsletter oder Benachrichtigung', 'Newsletter und Benachrichtigungen')} (${senders})`,
  others: (count) => `${several(count, 'weitere E-Mail', 'weitere E-Mails')}`,
  also: (rest) => `Außerdem: ${rest}.`,
  noMail: 'Keine passenden E-Mails.',
  noText: 'Die E-Mail hat keinen Text.',
  suggestion: 'Du könntest antworten:',
  saveDraft: 'Soll ich das als Entwurf speichern?',
  attention: 'Das braucht deine Aufmerksamkeit:',
  first: (title) => `Fang mit „${title}“ an.`,
  nothingUrgent: 'Nichts ist fällig oder dringend.',
  freeToday: (length) => `Heute hast du noch ${length} freie Arbeitszeit.`,
  reason: (reason, length) => {
    switch (reason.code) {
      case 'overdue':
        return reason.days === 0 ? 'überfällig' : `seit ${several(reason.days, 'Tag', 'Tagen')} überfällig`
      case 'due_today':
        return 'heute fällig'
      case 'due_tomorrow':
        return 'morgen fällig'
      case 'due_soon':
        return `in ${reason.days} Tagen fällig`
      case 'priority':
        return reason.level === 'urgent' ? 'dringend' : 'hohe Priorität'
      case 'fits_free_time':
        return 'passt in deine freie Zeit'
      case 'urgent_mail':
        return reason.level === 'critical' ? 'kritische E-Mail' : 'dringende E-Mail'
      case 'waiting':
        return 'wartet auf deine Antwort'
      case 'promised':
        return 'hast du für heute zugesagt'
      case 'promise_overdue':
        return 'hast du zugesagt, und es ist überfällig'
      case 'starts_soon':
        return `beginnt in ${length(reason.minutes)}`
    }
  },
  from: (person) => `von ${person}`,
  withoutPeople: (names) => `ohne ${names}`,
  whichPerson: (name, list) => `Wen meinst du mit ${name}?\n${list}`,
  plan: (count) => `Ich schlage ${count === 1 ? 'einen Block' : `${count} Blöcke`} vor:`,
  noPlan: 'Es gibt nichts einzuplanen: keine offenen Aufgaben oder keine freie Arbeitszeit.',
  unplanned: (titles) => `Keine Zeit gefunden für: ${titles}.`,
  adjust: 'Du kannst Blöcke noch verschieben, verlängern oder entfernen.',
  snoozed: (subject, until) => `„${subject}“ ist bis ${until} zurückgestellt.`,
  untilWhen: 'Bis wann soll ich sie zurückstellen?',
  noList: (name) => `Einen Newsletter oder Verteiler „${name}“ habe ich nicht gefunden.`,
  whichList: 'Welchen meinst du?',
  alreadyUnsubscribed: (name) => `„${name}“ hast du schon abbestellt.`,
  onlyOnPage: (name, url) => `„${name}“ lässt sich nur auf der eigenen Seite abbestellen: ${url}`,
  noFolder: (name) => `Einen E-Mail-Ordner „${name}“ gibt es nicht.`,
  noMatch: 'Keine E-Mail passt dazu. Ich habe nichts geändert.',
  noTasks: 'Keine Aufgabe passt dazu. Ich habe nichts geändert.',
  noTaskList: (name) => `Eine Aufgabenliste oder ein Tag „${name}“ gibt es nicht.`,
  unknownCalendars: (names) =>
    `Den Kalender von ${names} sehe ich nicht. Das sind deine eigenen freien Zeiten.`,
  accept: (when) => (when ? `${when} passt mir gut.` : 'ja, das passt mir gut.'),
  decline: (when) => (when ? `leider passt mir ${when} nicht.` : 'leider passt mir das nicht.'),
  // The service names the first calendar of an account in English.
  inCalendar: (name) => `Kalender „${name === 'Calendar' ? 'Kalender' : name}“`,
  noAddress: (name) =>
    `Die E-Mail-Adresse von ${name} kenne ich nicht, deshalb kann ich keine Einladung senden.`,
  ruleName: (sender) => `E-Mails von ${sender}`,
  unanswerable: {
    'no-reply': 'Die Adresse des Absenders nimmt keine E-Mails an. Eine Antwort würde niemanden erreichen.',
    phishing: 'Diese E-Mail sieht nach Phishing aus. Antworte nicht und öffne keine Links darin.',
    dunning:
      'Das ist eine Zahlungsaufforderung. Vergleiche sie mit deinen Rechnungen. Eine Antwort kann rechtliche Folgen haben, deshalb gibt es keinen Entwurf.',
    advertising: 'Das ist Werbung. Eine Antwort würde nur deine Adresse bestätigen.',
    newsletter: 'Das ist ein Newsletter. Niemand erwartet eine Antwort.',
    notification: 'Das ist eine automatische Benachrichtigung. Niemand erwartet eine Antwort.',
    shipping: 'Das ist eine automatische Versandmeldung. Niemand erwartet eine Antwort.',
    security:
      'Das ist eine automatische Sicherheitsmeldung. Antworte nie mit einem Code oder einem Passwort.',
    'auto-reply': 'Das ist eine automatische Antwort. Der Absender hat deine E-Mail noch nicht gelesen.',
    bounce: 'Das ist eine Meldung über eine unzustellbare E-Mail. Niemand erwartet eine Antwort.',
  },
  refusals: {
    not_found: 'Das habe ich nicht gefunden. Vielleicht wurde es gelöscht.',
    forbidden: 'Dafür fehlt die Berechtigung.',
    insufficient_scope: 'Dem Zugriffstoken fehlt die Berechtigung dafür.',
    validation_failed: 'So kann ich das nicht ausführen. Prüfe deine Angaben.',
    time_taken: 'Die Zeit ist inzwischen belegt. Frage mich erneut nach einem Plan.',
    not_configured: 'Dafür ist noch kein E-Mail-Konto eingerichtet.',
    unauthorized: 'Melde dich an, damit du das bestätigen kannst.',
  },
}
