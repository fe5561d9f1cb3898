export const assistant = 'Assistant'
export const assistantHelp = 'Ask about your email, tasks and calendar'
export const conversations = 'Conversations'
export const conversation = 'Conversation'
export const newConversation = 'New conversation'
export const deleteConversation = (title: string) => `Delete “${title}”`
export const conversationDeleted = (title: string) => `“${title}” deleted`
export const conversationRestored = (title: string) => `“${title}” restored`

export const howCanIHelp = 'How can I help?'
export const asksFirst = 'I ask before sending, deleting or notifying guests.'
export const examples: readonly string[] = [
  'What do I have tomorrow?',
  'Who is waiting for an answer?',
  'Remind me to water the plants on Friday',
  'When am I free this week?',
]
export const message = 'Message'
export const askOrTell = 'Ask or tell me what to do…'
export const send = 'Send'
export const stop = 'Stop'
export const you = 'You:'
export const theAssistant = 'Assistant:'
export const unfinished = 'This answer is incomplete.'
export const notices = {
  no_tools: 'This model has no tools. It could not look anything up or change anything.',
}
export const withoutModel = 'Answered without a language model'
export const withModel = 'Answered by a language model'
export const connectionLost = 'Connection lost. Send the message again.'

export const actionDone = (action: string) => `${action}: done`
export const actionFailed = (action: string) => `${action}: failed`
export const actionWaiting = (action: string) => `${action}: needs your confirmation`
export const actionUndone = (action: string) => `${action}: undone`
export const actionRejected = (action: string) => `${action}: rejected`
export const actionExpired = (action: string) => `${action}: expired`
export const undoAction = (action: string) => `Undo: ${action}`
export const undone = 'Undone'
export const done = 'Done'

export const answers = 'Answers'
export const needsConfirmation = 'Needs your confirmation'
export const confirm = 'Confirm'
export const reject = 'Reject'
export const editAction = 'Edit…'
export const openDraft = 'Open draft'
export const editActionTitle = 'Edit action'
export const editActionHelp = 'Runs exactly as written here'
export const invalidJson = 'Could not read the text in brackets. Check the quotes and commas.'
export const separateWithCommas = 'Separate with commas'
export const timeOf = (field: string) => `${field}: time`

export const tools: Readonly<Record<string, string>> = {
  audit_page: 'Audit page',
  cancel_event: 'Cancel event',
  change_stream: 'Change stream',
  create_contact: 'Add contact',
  create_event: 'Create event',
  create_mail_rule: 'Add mail rule',
  create_task: 'Create task',
  delete_email: 'Delete email',
  delete_event: 'Delete event',
  delete_mail_rule: 'Delete mail rule',
  delete_task: 'Delete task',
  draft_email: 'Draft email',
  find_contact: 'Find contact',
  find_emails: 'Search email',
  find_free_time: 'Find free time',
  find_unanswered: 'Find unanswered email',
  get_briefing: 'Get briefing',
  get_statistics: 'Get statistics',
  get_stream: 'Get stream',
  list_booking_types: 'List booking types',
  list_bookings: 'List bookings',
  list_events: 'List events',
  list_mail_rules: 'List mail rules',
  list_streams: 'List streams',
  list_tasks: 'List tasks',
  move_event: 'Move event',
  read_email: 'Read email',
  send_draft: 'Send draft',
  send_email: 'Send email',
  sync_bookings: 'Sync bookings',
  tag_email: 'Organize email',
  snooze_email: 'Snooze email',
  pin_email: 'Pin email',
  remind_if_unanswered: 'Remind without an answer',
  update_event: 'Update event',
  update_task: 'Update task',
  book_plan: 'Book plan',
  change_emails: 'Change emails',
  change_tasks: 'Change tasks',
  get_priorities: 'Find priorities',
  invite_guests: 'Send invitations',
  list_calendars: 'List calendars',
  list_mail_folders: 'List mail folders',
  list_mailing_lists: 'List mailing lists',
  list_task_lists: 'List task lists',
  propose_plan: 'Plan tasks',
  summarize_emails: 'Summarize email',
  unsubscribe: 'Unsubscribe',
}
export const fields: Readonly<Record<string, string>> = {
  add: 'Add tags',
  allDay: 'All day',
  archived: 'Archived',
  attachments: 'Attachments',
  attendees: 'Attendees',
  bcc: 'Bcc',
  cc: 'Cc',
  date: 'Date',
  description: 'Description',
  dueAt: 'Due',
  dueBefore: 'Due before',
  end: 'End',
  estimateMinutes: 'Estimate (min)',
  folder: 'Folder',
  html: 'HTML',
  id: 'Id',
  limit: 'Limit',
  location: 'Location',
  minutes: 'Minutes',
  notes: 'Notes',
  occurrence: 'Occurrence',
  priority: 'Priority',
  query: 'Search',
  read: 'Read',
  recurrence: 'Repeat',
  remindAt: 'Reminder',
  remove: 'Remove tags',
  replyTo: 'Reply to',
  sendAt: 'Send at',
  starred: 'Starred',
  start: 'Start',
  status: 'Status',
  subject: 'Subject',
  tag: 'Tag',
  tags: 'Tags',
  text: 'Text',
  title: 'Title',
  to: 'To',
  unread: 'Unread',
  urgency: 'Urgency',
}
