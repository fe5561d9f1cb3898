import { formatNumber, plural } from '../format.ts'

export const endpoints = 'Endpoints'
export const title = 'Webhooks'
export const about =
  'Signed requests to your programs when something happens (<link>Standard Webhooks</link>)'
export const noWebhooks = 'No webhooks'
export const noWebhooksAbout = 'Add one to notify another program.'
export const newWebhook = 'New webhook'
export const editWebhook = 'Edit webhook'
export const addWebhook = 'Add webhook'
export const formAbout = 'Receives a signed POST request for each event'
export const address = 'Address'
export const name = 'Name'
export const nameHint = 'Defaults to the host name'
export const webhookSaved = 'Webhook saved'

export const events = 'Events'
export const everything = 'All events'
export const everythingLabel = 'All events, also future ones'
export const eventsMissing = 'Select at least one event.'
export const selectOne = 'Select at least one.'
export const groups = {
  mail: 'Email',
  tasks: 'Tasks',
  calendar: 'Calendar',
  bookings: 'Bookings',
  stream: 'Stream',
  notifications: 'Notifications',
}
export const eventTypes = {
  'email.received': 'Email received',
  'email.analyzed': 'Email analyzed',
  'email.due': 'Email back in the inbox',
  'commitment.created': 'Promise found',
  'commitment.updated': 'Promise changed',
  'commitment.due': 'Promise due',
  'task.created': 'Task created',
  'task.updated': 'Task updated',
  'task.completed': 'Task completed',
  'task.due': 'Task due',
  'task.deleted': 'Task deleted',
  'task.comment_created': 'Comment on a task created',
  'task.comment_updated': 'Comment on a task changed',
  'task.comment_deleted': 'Comment on a task deleted',
  'task.time_entry_created': 'Time entry created',
  'task.time_entry_updated': 'Time entry changed',
  'task.time_entry_deleted': 'Time entry deleted',
  'event.created': 'Event created',
  'event.updated': 'Event updated',
  'event.cancelled': 'Event cancelled',
  'event.starting': 'Event starting',
  'booking.synced': 'Bookings synced',
  'stream.started': 'Stream started',
  'stream.stopped': 'Stream stopped',
  'stream.milestone_reached': 'Goal reached',
  'notification.created': 'Notification created',
}
export const allOfGroup = (group: string) => `${group}: all`

export const statuses = {
  on: 'On',
  off: 'Off',
  failing: 'Failing',
}
export const failingSince = 'Failing since <time></time>'
export const turnedOffBecause = (reason: string) => `Turned off: ${reason}`
export const actionsFor = (webhook: string) => `Actions for ${webhook}`
export const sendTest = 'Send test'
export const testDelivered = 'Test delivered'
export const testFailed = (reason: string) => `Test failed: ${reason}`
export const turnOff = 'Turn off'
export const turnOn = 'Turn on'
export const turnedOff = (webhook: string) => `“${webhook}” turned off`
export const turnedOn = (webhook: string) => `“${webhook}” turned on`
export const newSecret = 'New secret'
export const newSecretTitle = (webhook: string) => `New secret for “${webhook}”`
export const newSecretAbout = 'Both secrets sign for one day, so that you can switch.'
export const createSecret = 'Create secret'
export const secretTitle = 'Webhook secret'
export const secretAbout = 'Verifies the signatures. It is shown only once.'
export const deleteTitle = (webhook: string) => `Delete “${webhook}”?`
export const deleteAbout = 'Its delivery history is deleted too. You cannot undo this.'
export const deleted = (webhook: string) => `“${webhook}” deleted`

export const deliveries = 'Deliveries'
export const deliveriesTo = (webhook: string) => `Deliveries to “${webhook}”`
export const deliveriesAbout = 'Newest first, kept for 30 days'
export const noDeliveries = 'No deliveries'
export const deliveryStates = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
}
export const attempts = 'Attempts'
export const attemptCount = (count: number) =>
  plural(count, { one: '1 attempt', other: `${formatNumber(count)} attempts` })
export const noResponse = 'no response'
export const responded = (status: number) => `The endpoint responded with ${status}.`
export const redirectNotFollowed = 'The endpoint responded with a redirect, which is not followed.'
export const attempt = ({ status, duration }: { status: string; duration: string }) =>
  `<time></time>: ${status}, ${duration}`
export const details = 'Details'
export const hideDetails = 'Hide details'
export const redeliver = 'Send again'
export const redelivering = 'Sending again'
export const redeliverFailed = 'Could not send again. Try later.'
