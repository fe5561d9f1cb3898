import { expect, it } from 'vitest'
import { readAbility } from './ability-reader.ts'

// A Tuesday morning.
const context = { now: Date.parse('2030-02-26T08:00:00Z'), timezone: 'UTC' }

it.each<[string, string, object]>([
  ['Summarise what Ana wrote this week', 'summarize_emails', { sender: 'Ana', from: '2030-02-25' }],
  ['Fasse meine ungelesenen Mails zusammen', 'summarize_emails', { unread: true }],
  ['summarize the last mail from Ben', 'summarize_email', { email: { sender: 'Ben', latest: true } }],
  ['What should I answer Ana?', 'suggest_reply', { email: { sender: 'Ana', latest: true } }],
  ['Womit soll ich anfangen?', 'get_priorities', { isFirst: true }],
  ['Plan my tasks for tomorrow', 'plan_tasks', { from: '2030-02-27', to: '2030-02-28' }],
  ['snooze the mail from Ben to tomorrow 9', 'snooze_email', { until: '2030-02-27T09:00' }],
  ['Melde mich vom Newsletter von Otto ab', 'unsubscribe', { list: 'Otto' }],
  ['always archive mails from Acme', 'create_rule', { sender: 'Acme', change: 'archive' }],
  ['move everything from Ana to folder Receipts', 'create_rule', { change: 'move', folder: 'Receipts' }],
  ['archive all newsletters older than a month', 'change_emails', { query: 'list:* before:1m' }],
  ['mark everything from LinkedIn as read', 'change_emails', { change: 'read', query: 'from:"LinkedIn"' }],
  ['complete all tasks in list Home', 'change_tasks', { change: 'complete', list: 'Home' }],
  [
    'Verschiebe alle überfälligen Aufgaben auf morgen',
    'change_tasks',
    { status: 'overdue', due: '2030-02-27' },
  ],
  [
    'Wann können Ana und ich uns nächste Woche treffen, nicht vor 10 Uhr und nicht am Freitag?',
    'find_meeting',
    { people: ['Ana'], notBefore: '10:00', exceptDays: ['friday'] },
  ],
  [
    'When am I free next week in the afternoon for an hour?',
    'find_meeting',
    { minutes: 60, notBefore: '12:00' },
  ],
  ['Wann habe ich nächste Woche vormittags Zeit?', 'find_meeting', { notAfter: '12:00' }],
  ['Sage Tom für Freitag zu', 'answer_proposal', { person: 'Tom', isYes: true, when: 'Freitag' }],
])('reads: %s', (text, ability, given) => {
  expect(readAbility(text, context)).toMatchObject({ ability, arguments: given })
})

it.each([
  'erase all voicemails in my inbox',
  'remove everything from the calendar',
  'move everything from Monday to Tuesday',
  'snooze the alarm',
  'stop the music',
  'Bestelle eine Pizza',
  'Sage den Termin ab',
  'add a task to plan my tasks',
])('leaves to the classifier: %s', (text) => {
  expect(readAbility(text, context)).toBeUndefined()
})
