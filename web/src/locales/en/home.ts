import { formatNumber, plural } from '../format.ts'

export const home = 'Home'
export const hello = 'Hello'
export const goodMorning = (name: string) => `Good morning, ${name}`
export const goodAfternoon = (name: string) => `Good afternoon, ${name}`
export const goodEvening = (name: string) => `Good evening, ${name}`
export const helloTo = (name: string) => `Hello, ${name}`
export const dateAndPlace = ({ date, time, city }: { date: string; time: string; city: string }) =>
  `${date} · ${time} in ${city}`

export const today = 'Today'
export const overdue = 'Overdue'
export const allDay = 'All day'
export const schedule = 'Schedule'
export const toAnswer = 'Waiting for your reply'
export const commitments = 'Promises'
export const tomorrow = 'Tomorrow'
export const now = 'Now'
export const until = (time: string) => `until ${time}`
export const tentative = 'Tentative'
export const booking = 'Booking'
export const conflict = 'Conflict'
export const planned = 'Planned work'
export const showMore = (count: number) =>
  plural(count, { one: 'Show 1 more', other: `Show ${formatNumber(count)} more` })
export const openCalendar = 'Open calendar'

export const completeTask = (title: string) => `Complete “${title}”`
export const plan = 'Plan'
export const planTask = (title: string) => `Plan time for “${title}”`
export const taskPlanned = ({ title, when }: { title: string; when: string }) => `Planned “${title}”: ${when}`
export const alreadyPlanned = (title: string) => `“${title}” is already in the calendar.`
export const noFreeTime = 'No free time in the next 7 days.'
export const noFreeTimeBeforeDue = 'No free time before the due date. Change the due date first.'
export const planUndone = 'Plan undone'
export const moreFor = (title: string) => `More actions for “${title}”`
export const dueOn = (day: string) => `Due ${day}`
export const open = 'Open'

export const join = 'Join'
export const joinEvent = (title: string) => `Join “${title}”`
export const responses = { accepted: 'Accept', tentative: 'Maybe', declined: 'Decline' } as const
export const respondTo = ({ response, title }: { response: string; title: string }) =>
  `${response}: “${title}”`
export const responsesSent = {
  accepted: 'Invitation accepted',
  tentative: 'Replied with maybe',
  declined: 'Invitation declined',
} as const

export const reply = 'Reply'
export const replyTo = (name: string) => `Reply to ${name}`
export const archive = 'Archive'
export const archiveEmail = (subject: string) => `Archive “${subject}”`
export const emailArchived = 'Email archived'
export const archivingUndone = 'Email moved to the inbox'
export const noSubject = '(no subject)'
export const unknownSender = 'Unknown sender'
export const youPromised = (name: string) => `You to ${name}`
export const promisedBy = (day: string) => `by ${day}`

export const nothingToday = 'Nothing left for today'
export const nothingTodayHelp = 'Add a task or an event above.'

export const newAccount = 'Your day appears here'
export const newAccountHelp = 'Connect your email first, or add a task above.'

export const firstSteps = 'First steps'
export const hide = 'Hide'
export const connect = 'Connect'
export const setUp = 'Set up'
export const connectEmail = 'Connect email'
export const connectCalendar = 'Connect a calendar'
export const addEmailAccount = 'Add an email account'
export const addEmailAccountHelp = 'Your mail stays on your server. Factotum keeps it in sync.'
export const addCalendar = 'Add a calendar'
export const addCalendarHelp = 'Google, iCloud, Fastmail or any CalDAV calendar'
export const moveIn = 'Move in from Gmail, Outlook or Todoist'
export const moveInHelp = 'Bring your mail, contacts, events and tasks'
export const importFiles = 'Import'
export const turnOnTwoFactor = 'Turn on two-factor authentication'
export const turnOnTwoFactorHelp = 'Protects your account if your password leaks'
