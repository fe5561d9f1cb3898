/** Texts about invitations: the card in an email, and the question before invitations are sent. */

// Card
export const kinds: Readonly<Record<string, string>> = {
  REQUEST: 'Invitation',
  CANCEL: 'Cancellation',
  REPLY: 'Reply',
  COUNTER: 'New time proposed',
}
export const event = 'Event'
export const untitled = 'Untitled'
export const cardTitle = ({ kind, title }: { kind: string; title: string }) => `${kind}: ${title}`
export const states = {
  ready: 'Your calendar is being updated.',
  applied: 'Your calendar was updated automatically.',
  undone: 'The update was undone.',
  removed: 'Removed from your calendar.',
  current: 'Your calendar is up to date.',
  outdated: 'Out of date. Your calendar has a later version.',
}
export const addedAsTentative = 'In your calendar as tentative.'
export const cancelled = 'This event is cancelled.'
export const was = (text: string) => `Updated: was ${text}`
export const now = (text: string) => `In your calendar: ${text}`
export const time = 'Time'
export const location = 'Location'
export const organizer = 'Organizer'
export const organizedBy = (name: string) => `Organized by ${name}`
export const attendees = 'Attendees'
export const attendeeCount = (count: number) => (count === 1 ? '1 attendee' : `${count} attendees`)
export const repeats = 'Repeats'
export const repeatsOnDates = 'Repeats on certain dates'
export const meetingLink = 'Video link'
export const conflicts = 'Conflicts'
export const conflictsWith = (titles: string) => `At the same time: ${titles}`
export const timeInPlace = ({ time, place }: { time: string; place: string }) => `${time} in ${place}`
export const allDay = ({ day }: { day: string }) => `${day}, all day`
export const going = 'Going?'
export const answers = { accepted: 'Accept', tentative: 'Maybe', declined: 'Decline' }
export const yourAnswer = {
  accepted: 'You accepted.',
  tentative: 'You answered maybe.',
  declined: 'You declined.',
}
export const addNote = 'Add a note'
export const note = 'Note to the organizer'
export const answerSent = (name: string) => `Response to ${name} sent`
export const showInCalendar = 'Show in calendar'
export const addToCalendar = 'Add to calendar'
export const updateCalendar = 'Update calendar'
export const calendarUpdated = 'Calendar updated'
export const undone = 'Undone'

// Question before sending
export const sendInvitations = 'Send invitations?'
export const sendUpdates = 'Send updates?'
export const sendCancellation = 'Send cancellation?'
export const tellOrganizer = 'Tell the organizer?'
export const sendTo = (names: string) => `Email goes to ${names}.`
export const declineTo = (name: string) => `${name} gets an email that you decline.`
export const sendFrom = 'Send from'
export const send = 'Send'
export const doNotSend = 'Do not send'
export const back = 'Back'
export const withInvitations = (text: string) => `${text}. Email is being sent.`
