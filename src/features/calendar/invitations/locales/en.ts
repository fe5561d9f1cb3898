const nameOf = (title: string): string => (title === '' ? 'this event' : `“${title}”`)
const sentBy = (sender: string): string => `Sent by ${sender || 'an unknown sender'}`

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth']
const every = (count: number, unit: string): string =>
  count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`

/**
 * Texts of the emails that answer invitations, and the reasons why an email does not change the calendar.
 * `title` is the name of the event.
 */
export const en = {
  untitled: 'your invitation',
  subject: {
    accepted: (title: string) => `Accepted: ${title}`,
    declined: (title: string) => `Declined: ${title}`,
    tentative: (title: string) => `Tentative: ${title}`,
    'needs-action': (title: string) => `Undecided: ${title}`,
  },
  answer: {
    accepted: (name: string) => `${name} has accepted this invitation:`,
    declined: (name: string) => `${name} has declined this invitation:`,
    tentative: (name: string) => `${name} has tentatively accepted this invitation:`,
    'needs-action': (name: string) => `${name} has not responded to this invitation:`,
  },
  invitationSubject: {
    invited: (title: string) => `Invitation: ${title}`,
    updated: (title: string) => `Updated invitation: ${title}`,
    cancelled: (title: string) => `Cancelled: ${title}`,
    uninvited: (title: string) => `Invitation withdrawn: ${title}`,
  },
  invitation: {
    invited: (name: string) => `${name} invites you to this event:`,
    updated: (name: string) => `${name} has updated this event:`,
    cancelled: (name: string) => `${name} has cancelled this event:`,
    uninvited: (name: string) => `${name} has removed you from this event:`,
  },
  recurrence: {
    daily: (count: number) => every(count, 'day'),
    weekly: (count: number, days: string) => `${every(count, 'week')} on ${days}`,
    weekdays: (count: number) => `${every(count, 'week')} on weekdays`,
    monthlyOnDate: (count: number, day: number) => `${every(count, 'month')} on day ${day}`,
    /** The ordinal -1 is the last such weekday of the month. */
    monthlyOnWeekday: (count: number, ordinal: number, weekday: string) =>
      `${every(count, 'month')} on the ${ORDINALS[ordinal - 1] ?? 'last'} ${weekday}`,
    yearly: (count: number, date: string) => `${every(count, 'year')} on ${date}`,
    times: (pattern: string, count: number) =>
      count === 1 ? `${pattern}, once` : `${pattern}, ${count} times`,
    until: (pattern: string, date: string) => `${pattern}, until ${date}`,
    custom: 'The event repeats.',
  },
  reasons: {
    sentBy: (sender: string) => `${sentBy(sender)}.`,
    inSpamOrTrash: (sender: string) =>
      `${sentBy(sender)}. Email in spam or trash is not applied automatically.`,
    senderNotVerified: (sender: string) =>
      `Your mail server could not verify that this email is from ${sender || 'an unknown sender'}.`,
    seriesMissing: 'The series of this occurrence is not in the calendar.',
    occurrenceMissing: (title: string) => `${nameOf(title)} has no such occurrence.`,
    older: 'It is older than the version in the calendar.',
    noStart: 'It has no start (DTSTART).',
    cancelsUnknownEvent: (sender: string) =>
      `${sentBy(sender)}. It cancels an event that is not in the calendar.`,
    notOrganizer: (sender: string, organizer: string) =>
      `${sentBy(sender)}, who is not the organizer ${organizer}.`,
    noOrganizer: (sender: string, title: string) => `${sentBy(sender)}. ${nameOf(title)} has no organizer.`,
    otherOrganizer: (about: { sender: string; stated: string; title: string; organizer: string }) =>
      `${sentBy(about.sender)}. It names ${about.stated} as the organizer; ${nameOf(about.title)} is organized by ${about.organizer}.`,
    createdHere: (sender: string, title: string) =>
      `${sentBy(sender)}. ${nameOf(title)} was created in this calendar, so email cannot change it.`,
    published: (sender: string) => `${sentBy(sender)}. Published events are not applied automatically.`,
    replyToUnknownEvent: (sender: string) =>
      `${sentBy(sender)}. The reply is for an event that is not in the calendar.`,
    proposesOtherTime: (sender: string) => `${sentBy(sender)}, who proposes another time.`,
    youAreNotOrganizer: (sender: string, title: string) =>
      `${sentBy(sender)}. You are not the organizer of ${nameOf(title)}.`,
    notInvited: (sender: string, title: string) =>
      `${sentBy(sender)}, who is not invited to ${nameOf(title)}.`,
    repliesForOther: (sender: string, attendee: string | undefined) =>
      `${sentBy(sender)}, who cannot reply for ${attendee ?? 'nobody'}.`,
    repliesToEarlierVersion: (sender: string, title: string) =>
      `${sentBy(sender)}, who replied to an earlier version of ${nameOf(title)}.`,
    noTimeStamp: (sender: string) => `${sentBy(sender)}. The reply has no time stamp (DTSTAMP).`,
  },
}

export type InvitationTexts = typeof en
