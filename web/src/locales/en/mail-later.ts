import { formatNumber, plural } from '../format.ts'

// Snooze.
export const snooze = 'Snooze'
export const unsnooze = 'Unsnooze'
export const snoozed = 'Snoozed'
export const snoozedBadge = (count: string) => `, ${count} snoozed`
export const noSnoozed = 'Nothing is snoozed'
export const noSnoozedAbout = 'Press h to snooze an email.'
export const snoozeAbout = 'The email returns to the top of your inbox.'
export const snoozedUntil = (when: string) => `Snoozed until ${when}`
export const backFromSnooze = 'Back from snooze'

/** One email is named by its subject. */
interface Snoozed {
  count: number
  subject: string
  when: string
}
export const snoozedEmails = ({ count, subject, when }: Snoozed) =>
  plural(count, {
    one: `“${subject}” snoozed until ${when}`,
    other: `${formatNumber(count)} emails snoozed until ${when}`,
  })
export const unsnoozed = ({ count, subject }: { count: number; subject: string }) =>
  plural(count, {
    one: `“${subject}” is back in the inbox`,
    other: `${formatNumber(count)} emails are back in the inbox`,
  })

// Pinned conversations.
export const pin = 'Pin'
export const unpin = 'Unpin'
export const pinned = 'Pinned'
export const otherEmails = 'Everything else'

// Reminder about a missing answer.
export const remindMe = 'Remind me if nobody answers'
export const remindAbout = 'An answer cancels the reminder.'
export const remind = 'Set reminder'
export const removeReminder = 'Remove reminder'
export const remindedAt = (when: string) => `Reminder without an answer: ${when}`
export const reminderSet = (when: string) => `You will be reminded on ${when}`
export const reminderRemoved = 'Reminder removed'
export const noAnswer = 'No answer yet'

// The choice of a time.
export const suggestedTimes = 'Suggested times'
export const laterToday = 'Later today'
export const tomorrowMorning = 'Tomorrow morning'
export const thisWeekend = 'This weekend'
export const nextWeek = 'Next week'
export const inTwoDays = 'In two days'
export const inOneWeek = 'In a week'
export const typeTime = 'Type a time'
export const timeExample = 'next Tuesday at 9, in 3 hours'
export const noTimeFound = 'No time found'
export const date = 'Date'
export const time = 'Time'
export const timeZone = (zone: string) => `Time zone: ${zone}`
export const pastTime = 'Choose a time in the future.'
