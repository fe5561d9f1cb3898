import { formatNumber, plural } from '../format.ts'

export const assistant = 'Assistant'
export const assistantHelp = 'Ask about your email, tasks and calendar'
export const conversations = 'Conversations'
export const conversation = 'Conversation'
export const newConversation = 'New conversation'
export const deleteConversation = (title: string) => `Delete “${title}”`
export const conversationDeleted = (title: string) => `“${title}” deleted`
export const renameConversation = 'Rename…'
export const renameTitle = 'Rename conversation'
export const renamed = 'Renamed'
export const deleteLabel = 'Delete'
export const moreFor = (title: string) => `More: ${title}`
export const searchConversations = 'Search conversations'
export const noConversations = 'No conversations found'
export const loadMore = 'Load more'
export const openAsPage = 'Open as page'
export const panelWidth = 'Width of the assistant panel'
export const backToChat = 'Back to the conversation'
export const showConversations = 'Conversations'
export const conversationRestored = (title: string) => `“${title}” restored`

export const howCanIHelp = 'How can I help?'
export const asksFirst = 'I ask before sending, deleting or notifying guests.'
/** Suggestions that work without a language model. */
export const suggestions = {
  general: [
    'What needs my attention today?',
    'What do I have tomorrow?',
    'Who is waiting for an answer?',
    'Remind me to water the plants on Friday',
  ],
  mail: ['Summarise my unread mail', 'Who is waiting for an answer?', 'Which emails are urgent?'],
  email: ['Summarise this', 'Draft a reply to this', 'Snooze this until tomorrow', 'Archive this'],
  calendar: ['When am I free this week?', 'What do I have tomorrow?', 'What do I have next week?'],
  event: ['Move this to tomorrow', 'Make this an hour long'],
  tasks: ['What should I work on first?', 'Plan my tasks for today', 'Which tasks are overdue?'],
  task: ['Mark this as done', 'Move this to Friday', 'Make this high priority'],
  contacts: ['Who is waiting for an answer?', 'Which promises are overdue?'],
  commitments: ['What did I promise?', 'What do others owe me?', 'Which promises are overdue?'],
} as const satisfies Record<string, readonly string[]>
/** Suggestions that need a language model. */
export const modelSuggestions = {
  email: ['Summarise this', 'Draft a reply to this', 'When is this due?'],
  calendar: ['How busy is my week?'],
  event: ['Prepare me for this'],
  task: ['Break this into steps'],
} as const satisfies Record<string, readonly string[]>
export const contactSuggestions = (name: string): readonly string[] => [
  `Show emails from ${name}`,
  `When do I meet ${name}?`,
  `Show my promises to ${name}`,
]
export const suggestionsLabel = 'Suggestions'
export const message = 'Message'
export const askOrTell = 'Ask or tell me what to do…'
export const send = 'Send'
export const stop = 'Stop'
export const you = 'You:'
export const theAssistant = 'Assistant:'
export const about = 'About:'
export const removeContext = (title: string) => `Do not refer to “${title}”`
export const newest = 'Newest message'
export const answering = 'The assistant is answering.'
export const retry = 'Retry'
export const retryAnswer = 'Retry this answer'
export const copyAnswer = 'Copy answer'
export const copied = 'Copied'
export const copyFailed = 'Could not copy'
export const editQuestion = 'Edit your last message'
export const editingQuestion = 'Editing your last message'
export const cancelEdit = 'Cancel editing'
export const changesStay = (changes: string) => `These changes stay done: ${changes}`
export const undoChanges = 'Undo these changes'
export const retryTitle = 'Retry this answer?'
export const keepChanges = 'Keep the changes and retry'
export const undoAndRetry = 'Undo the changes and retry'
export const unfinished = 'This answer is incomplete.'
export const notices = {
  no_tools: 'This model has no tools. It could not look anything up or change anything.',
}
export const builtInRules = 'Built-in rules'
export const languageModel = 'Language model'
export const connectionLost = 'Connection lost. Try again.'

export const decided = {
  done: (at: string) => `Done, ${at}`,
  failed: (reason: string) => `Failed: ${reason}`,
  rejected: (at: string) => `Rejected, ${at}`,
  expired: 'Expired. Ask again to do it.',
}
export const steps = (count: number) =>
  plural(count, { one: '1 step', other: `${formatNumber(count)} steps` })

/** The numbers of a reason depend on its code. */
interface ReasonNumbers {
  days?: number
  minutes?: number
  level?: string
}

export const cards = {
  emailArchived: (subject: string) => `“${subject}” archived`,
  taskCompleted: (title: string) => `“${title}” completed`,
  taskReopened: (title: string) => `“${title}” reopened`,
  eventStart: 'Starts',
  reasons: {
    overdue: ({ days = 0 }) =>
      days === 0
        ? 'Overdue'
        : plural(days, { one: 'Overdue for 1 day', other: `Overdue for ${formatNumber(days)} days` }),
    due_today: () => 'Due today',
    due_tomorrow: () => 'Due tomorrow',
    due_soon: ({ days = 0 }) =>
      plural(days, { one: 'Due in 1 day', other: `Due in ${formatNumber(days)} days` }),
    priority: ({ level }) => (level === 'urgent' ? 'Urgent' : 'High priority'),
    fits_free_time: () => 'Fits into your free time',
    urgent_mail: ({ level }) => (level === 'critical' ? 'Critical' : 'Urgent'),
    waiting: () => 'Waits for your reply',
    promised: () => 'You promised it for today',
    promise_overdue: () => 'You promised it, overdue',
    starts_soon: ({ minutes = 0 }) => `Starts in ${formatNumber(minutes)} min`,
  } as Readonly<Record<string, (reason: ReasonNumbers) => string>>,
  emails: 'Emails',
  open: (title: string) => `Open: ${title}`,
  archive: 'Archive',
  archived: 'Archived',
  reply: 'Reply',
  snooze: 'Snooze',
  snoozedUntil: (at: string) => `Snoozed until ${at}`,
  draft: 'Draft',
  editDraft: 'Edit',
  sendDraft: 'Send',
  sendDraftMessage: 'Send the draft',
  sent: 'Sent',
  due: (at: string) => `Due ${at}`,
  done: 'Done',
  complete: (title: string) => `Done: ${title}`,
  cancelled: 'Cancelled',
  gone: 'No longer exists',
  trashed: 'In the trash',
  freeTime: 'Free time',
  book: (when: string) => `Create event: ${when}`,
  newEvent: 'New event',
  createEvent: 'Create',
  eventTitle: 'Title',
  eventCreated: (title: string) => `“${title}” created`,
  showAll: (count: number) => `Show all ${formatNumber(count)}`,
  allDay: 'All day',
  to: (names: string) => `To ${names}`,
}

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
export const needsConfirmation = 'Waiting for your confirmation'
export const confirm = 'Confirm'
const emails = (count: number) => plural(count, { one: '1 email', other: `${formatNumber(count)} emails` })
const tasks = (count: number) => plural(count, { one: '1 task', other: `${formatNumber(count)} tasks` })
/** The button that confirms a change of several emails. */
export const changeEmails: Readonly<Record<string, (count: number) => string>> = {
  archive: (count) => `Archive ${emails(count)}`,
  trash: (count) => `Move ${emails(count)} to the trash`,
  read: (count) => `Mark ${emails(count)} as read`,
  unread: (count) => `Mark ${emails(count)} as unread`,
  star: (count) => `Star ${emails(count)}`,
  unstar: (count) => `Remove the star of ${emails(count)}`,
  tag: (count) => `Tag ${emails(count)}`,
}
export const changeTasks: Readonly<Record<string, (count: number) => string>> = {
  complete: (count) => `Complete ${tasks(count)}`,
  delete: (count) => `Delete ${tasks(count)}`,
  move: (count) => `Move ${tasks(count)}`,
}
export const completeTask = 'Complete task'
export const reject = 'Reject'
export const editAction = 'Edit…'
export const bookBlocks = (count: number) =>
  plural(count, {
    one: 'Add 1 block to the calendar',
    other: `Add ${formatNumber(count)} blocks to the calendar`,
  })
export const yes = 'Yes'
export const no = 'No'
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
  update_contact: 'Edit contact',
  read_contact: 'Read contact',
  list_reservations: 'List reservations',
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
  list_commitments: 'List promises',
  close_commitment: 'Close promise',
  book_plan: 'Book plan',
  change_emails: 'Change emails',
  change_tasks: 'Change tasks',
  get_priorities: 'Find priorities',
  invite_guests: 'Send invitations',
  list_calendars: 'List calendars',
  list_mail_folders: 'List mail folders',
  list_mailing_lists: 'List mailing lists',
  list_task_lists: 'List task lists',
  add_task_comment: 'Add comment',
  list_task_comments: 'List comments',
  start_timer: 'Start timer',
  stop_timer: 'Stop timer',
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
  blocks: 'Blocks',
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
