// Texts of the settings of the instance: status, background jobs and invitations.
import { formatNumber } from '../format.ts'

// Status
export const healthy = 'Healthy'
export const down = 'Down'
export const version = 'Version'
export const database = 'Database'
export const databaseDown = 'The database does not respond. Check the server log.'
export const storage = 'Storage'
export const uptime = 'Uptime'
export const uptimeUnderOneMinute = 'Less than a minute'
export const checks: Readonly<Record<string, string>> = {
  databaseWrites: 'Database writes',
  fileWrites: 'File storage',
  accepting: 'Accepting requests',
}
export const checkPassed = 'OK'
export const checkFailed = 'Failed'
export const shuttingDown = 'Shutting down'
export const aiModels = 'AI models'
export const noAiModel = 'None. The built-in assistant answers.'
export const failedJobs = 'Failed jobs'
export const none = 'None'
export const manageAi = 'AI settings'
export const showJobs = 'Background jobs'
export const doctorAbout =
  'Run this command on the server. It checks the configuration, database, disk and keys.'
export const doctorCommand = 'factotum doctor'
export const logsAbout = 'The server writes its log to standard output.'
export const apiReference = 'API reference'
export const metrics = 'Metrics'

// Background jobs
export const job = 'Jobs'
export const refresh = 'Refresh'
export const status = 'Status'
export const all = 'All'
export const jobStates = { running: 'Running', waiting: 'Waiting', parked: 'Failed', done: 'Done' }
export const noJobs = 'No jobs'
export const jobRetried = 'Job started again'
export const jobDeleted = 'Job deleted'
export const retryJob = (name: string) => `Try again: ${name}`
export const deleteJob = (name: string) => `Delete: ${name}`
export const due = 'Due <time>then</time>'
export const progress = ({ done, total }: { done: number; total: number }) =>
  `${formatNumber(done)} of ${formatNumber(total)}`

// Invitations
export const registrationOpen = 'Anyone who reaches this instance can create an account.'
export const registrationClosed = 'This instance accepts no new accounts, not even with an invitation.'
export const yourInvitations = 'Invitations'
export const invitationsAbout = 'Each link creates one account and expires after a week'
export const anyone = 'Anyone with the link'
export const accepted = 'Accepted'
export const expired = 'Expired'
export const open = 'Open'
export const createdOn = (date: string) => `Created ${date}`
export const expiresOn = (date: string) => `Expires ${date}`
export const acceptedOn = (date: string) => `Accepted ${date}`
export const invite = 'Invite someone'
export const inviteAbout = 'Share the link yourself, or have it mailed.'
export const inviteWithoutMailAbout = 'You get a link to share. Factotum sends no email.'
export const sendByEmail = 'Send the link by email'
export const invitationSent = (email: string) => `Invitation sent to ${email}`
export const createInvitation = 'Create invitation'
export const guestEmail = 'Email address (optional)'
export const guestEmailHint = 'Only this address can use the link'
export const noInvitations = 'No invitations'
export const noInvitationsAbout = 'Invite someone to create an account here.'
export const deleteInvitation = (guest: string) => `Delete invitation: ${guest}`
export const deleteInvitationTitle = 'Delete this invitation?'
export const deleteInvitationAbout = 'Its link stops working.'
export const invitationDeleted = 'Invitation deleted'
export const invitationLink = 'Invitation link'
export const invitationNotSent =
  'The email could not be sent. Send this link to the person you invite. It is shown only once.'
export const invitationLinkAbout = 'Send this link to the person you invite. It is shown only once.'
