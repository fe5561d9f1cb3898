import { formatNumber, plural } from '../format.ts'

export const about = 'Rules process new emails in this order.'
export const yourRules = 'Your rules'
export const newRule = 'New rule'
export const editRule = 'Edit rule'
export const createRule = 'Create rule'
export const noRules = 'No rules yet'
export const noRulesAbout = 'Create one here or from the menu of an email.'
export const actionsFor = (name: string) => `Actions for ${name}`
export const applyRule = (name: string) => `Apply the rule ${name}`
export const on = 'On'
export const off = 'Off'
export const runNow = 'Run now'

// The form.
export const conditions = 'When an email matches'
export const fields = {
  from: { label: 'From', placeholder: 'ana@example.org' },
  to: { label: 'To', placeholder: '' },
  subject: { label: 'Subject', placeholder: 'invoice' },
  words: { label: 'Words', placeholder: 'anywhere in the email' },
}
export const query = 'Search query'
export const queryHint = 'All search operators except in:, is:, before: and after:'
export const actions = 'Do this'
export const move = 'Move'
export const keepInInbox = 'Keep in inbox'
export const moveToArchive = 'To archive'
export const moveToTrash = 'To trash'
export const tagsPlaceholder = 'news, weekly'
export const tagsHint = 'Separate with commas'
export const createTask = 'Create task'
export const noSnooze = 'Do not snooze'
export const snoozePresets = {
  'later-today': 'For 3 hours',
  tomorrow: 'Until tomorrow, 8:00',
  weekend: 'Until Saturday, 8:00',
  'next-week': 'Until Monday, 8:00',
}
export const name = 'Name'
export const actionRequired = 'Choose at least one action.'
export const noMatches = 'No emails in your inbox match.'
export const matches = (count: number) =>
  plural(count, {
    one: '1 email in your inbox matches.',
    other: `${formatNumber(count)} emails in your inbox match.`,
  })
export const moreMatches = (count: number) => `More than ${formatNumber(count)} emails in your inbox match.`

// The actions of a rule, joined as a list.
export const movesToFolder = 'moves to a folder'
export const actionTexts = {
  archive: 'archive',
  trash: 'move to trash',
  tag: (tags: string) => `tag ${tags}`,
  read: 'mark as read',
  starred: 'star',
  pinned: 'pin',
  snooze: {
    'later-today': 'snooze for 3 hours',
    tomorrow: 'snooze until tomorrow',
    weekend: 'snooze until Saturday',
    'next-week': 'snooze until Monday',
  },
  task: 'create task',
}

// Running a rule.
export const runTitle = (name: string) => `Run “${name}” now?`
export const runOlder = 'Older emails match too.'
export const runActions = ({ count, actions }: { count: number; actions: string }) =>
  plural(count, {
    one: `Changes 1 email: ${actions}.`,
    other: `Changes ${formatNumber(count)} emails: ${actions}.`,
  })
export const nothingToChange = 'All matching emails are already up to date.'
export const nothingToDo = (name: string) => `“${name}” has nothing to do in your inbox`
export const ran = ({ name, count }: { name: string; count: number }) =>
  plural(count, {
    one: `“${name}” applied to 1 email`,
    other: `“${name}” applied to ${formatNumber(count)} emails`,
  })
export const ranPartly = ({ name, count }: { name: string; count: number }) =>
  `“${name}” applied to ${formatNumber(count)} emails. Run it again for older emails.`
export const reverted = 'Changes undone'

// Results.
export const created = (name: string) => `Rule “${name}” created`
export const applyToInbox = 'Apply to inbox'
export const saved = (name: string) => `Rule “${name}” saved`
export const turnedOn = (name: string) => `Rule “${name}” turned on`
export const turnedOff = (name: string) => `Rule “${name}” turned off`
export const deleted = (name: string) => `Rule “${name}” deleted`
export const restored = (name: string) => `Rule “${name}” restored`
