import type { Shape } from '../../api/client.ts'
import { formatNumber, plural } from '../format.ts'

type Task = Shape<'Task'>

export const tasks = 'Tasks'
export const newTask = 'New task'
export const editTask = 'Edit task'
export const addTask = 'Add task'
export const add = 'Add'
export const addDetails = 'Add details'
export const editNamed = (title: string) => `Edit ${title}`
export const openNamed = (title: string) => `Open ${title}`
export const moreFor = (title: string) => `More for ${title}`
export const doneNamed = (title: string) => `Done: ${title}`

export const quickAddExample = 'Pay rent every month on the 1st !high #home'
export const addRowHelp = 'Type a task and press Enter'
export const preview = 'Preview:'
export const addAsPlainText = 'Add as plain text'
export const isPlainText = 'Will be added as plain text'
export const readAsEvery = '“every!” is read as “every”'
export const convertedFrom = (zone: string) => `${zone}, shown in your time zone`

export const priorities = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
} satisfies Record<Task['priority'], string>
export const statuses = {
  todo: 'To do',
  doing: 'In progress',
  done: 'Done',
  cancelled: 'Cancelled',
} satisfies Record<Task['status'], string>
export const views = { open: 'Open', done: 'Done', all: 'All' }
export const groups = {
  overdue: 'Overdue',
  today: 'Today',
  tomorrow: 'Tomorrow',
  soon: 'Next 7 days',
  later: 'Later',
  none: 'No date',
}

export const show = 'Show'
export const searchTasks = 'Search tasks'
export const anyPriority = 'Any priority'
export const anyTag = 'Any tag'
export const tag = 'Tag'
export const showAllTags = (chosen: string) => `#${chosen}: show all tags`
export const showTagged = (chosen: string) => `Show tasks tagged #${chosen}`
export const print = 'Print'

export const noMatches = 'No matching tasks'
export const clearFilters = 'Clear filters'
export const noneDone = 'No completed tasks'
export const doneAppearHere = 'Completed tasks appear here.'
export const noTasks = 'No tasks'
export const addFirstTask = 'Type a task above, such as “Call Ben tomorrow at 10”, and press Enter.'

export const title = 'Title'
export const notes = 'Notes'
export const dueDate = 'Due date'
export const dueTime = 'Due time'
export const reminderDate = 'Reminder'
export const reminderTime = 'Reminder time'
export const optional = 'Optional'
export const defaultTime = (time: string) => `Default: ${time}`
export const priority = 'Priority'
export const status = 'Status'
export const repeat = 'Repeat'
export const doesNotRepeat = 'Does not repeat'
export const estimate = 'Estimate (min)'
export const tags = 'Tags'
export const newTags = 'New tags'
export const separateWithCommas = 'Separate with commas'

/** The day is relative or a date: "today", "Thursday, 9:30", "5 Mar". */
export const due = (when: string) => `Due <time>${when}</time>`
export const overdue = (when: string) => `Overdue: <time>${when}</time>`
export const completed = (when: string) => `Completed <time>${when}</time>`
export const completedOn = (date: string) => `Completed ${date}`

export const setDueDate = (name: string) => `Due date of ${name}`
export const setPriority = (name: string) => `Priority of ${name}`
export const priorityOf = ({ name, priority: chosen }: { name: string; priority: string }) =>
  `Priority of ${name}: ${chosen}`
export const setTags = (name: string) => `Tags of ${name}`
export const noDueDate = 'No due date'
export const dueOn = (day: string) => `Due ${day}`
export const start = 'Start'
export const cancelTask = 'Cancel task'
export const reopen = 'Reopen'

export const taskAdded = (name: string) => `“${name}” added`
export const taskSaved = (name: string) => `“${name}” saved`
export const taskCompleted = (name: string) => `“${name}” completed`
export const taskReopened = (name: string) => `“${name}” reopened`
export const taskStarted = (name: string) => `“${name}” started`
export const taskCancelled = (name: string) => `“${name}” cancelled`
export const taskDeleted = (name: string) => `“${name}” deleted`
export const taskRestored = (name: string) => `“${name}” restored`
export const tasksRestored = (count: number) =>
  plural(count, { one: '1 task restored', other: `${formatNumber(count)} tasks restored` })
export const taskDue = ({ name, day }: { name: string; day: string }) => `“${name}” is due ${day}`
export const priorityChanged = ({ name, priority: chosen }: { name: string; priority: string }) =>
  `Priority of “${name}”: ${chosen}`
export const tagsChanged = (name: string) => `Tags of “${name}” saved`
export const dueDateRemoved = (name: string) => `Due date of “${name}” removed`

export const planTasks = 'Plan my tasks'
export const planHelp = 'Fits open tasks into your free working hours'
export const period = 'Period'
export const periods = { 1: 'Next 24 hours', 7: 'Next 7 days', 14: 'Next 14 days' }
export const addToCalendar = 'Add to calendar'
export const partOf = ({ part, parts }: { part: number; parts: number }) => `(${part} of ${parts})`
export const blockDay = 'Day'
export const blockStart = 'Starts'
export const blockMinutes = 'Minutes'
export const blockOverlaps = 'Overlaps another block'
export const timeOfBlock = (name: string) => `Time of ${name}`
export const changeTime = 'Change time'
export const changeTimeOfBlock = (name: string) => `Change the time of ${name}`
export const nothingToPlan = 'No open tasks, or no free time.'
export const notPlanned = 'Not planned'
export const partlyPlanned = 'Partly planned'
export const alreadyPlanned = 'Already planned'
export const notPlannedReasons = {
  due_too_soon: 'Not enough free time before it is due',
  no_time: 'Not enough free time in this period',
  already_planned: 'Already in the calendar',
} satisfies Record<Shape<'TaskPlan'>['unplanned'][number]['reason'], string>
export const blocksAdded = (count: number) =>
  plural(count, {
    one: '1 block added to the calendar',
    other: `${formatNumber(count)} blocks added to the calendar`,
  })
export const noBlocksAdded = 'Nothing to add to the calendar'
export const planUndone = 'Plan undone'

type Unit = 'day' | 'week' | 'month' | 'year'

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

export const everyWeekday = 'Every weekday'
/** "Every day", "Every 2 weeks". */
export const every = ({ unit, interval }: { unit: Unit; interval: number }) =>
  plural(interval, { one: `Every ${unit}`, other: `Every ${formatNumber(interval)} ${unit}s` })
export const everyInMonths = ({ unit, interval, months }: { unit: Unit; interval: number; months: string }) =>
  plural(interval, {
    one: `Every ${unit} in ${months}`,
    other: `Every ${formatNumber(interval)} ${unit}s in ${months}`,
  })
export const everyWeekOn = ({ interval, days }: { interval: number; days: string }) =>
  plural(interval, { one: `Every ${days}`, other: `Every ${formatNumber(interval)} weeks on ${days}` })
export const everyMonthOn = ({ interval, days }: { interval: number; days: string }) =>
  plural(interval, {
    one: `Every month on the ${days}`,
    other: `Every ${formatNumber(interval)} months on the ${days}`,
  })
export const everyMonthOnOf = ({
  interval,
  days,
  months,
}: {
  interval: number
  days: string
  months: string
}) =>
  plural(interval, {
    one: `Every month on the ${days} of ${months}`,
    other: `Every ${formatNumber(interval)} months on the ${days} of ${months}`,
  })
export const everyYearOn = ({ interval, days, months }: { interval: number; days: string; months: string }) =>
  plural(interval, {
    one: `Every year on the ${days} of ${months}`,
    other: `Every ${formatNumber(interval)} years on the ${days} of ${months}`,
  })
export const dayOfMonth = (day: number) => `${day}${ENDINGS[ordinals.select(day)] ?? 'th'}`
export const lastDay = 'last day'
export const weekdayOfMonth = ({ position, weekday }: { position: number; weekday: string }) =>
  ({
    1: `first ${weekday}`,
    2: `second ${weekday}`,
    3: `third ${weekday}`,
    4: `fourth ${weekday}`,
    5: `fifth ${weekday}`,
    [-1]: `last ${weekday}`,
  })[position]
export const repeatsUntil = ({ rule, date }: { rule: string; date: string }) => `${rule}, until ${date}`
export const repeatsTimes = ({ rule, count }: { rule: string; count: number }) =>
  plural(count, { one: `${rule}, once`, other: `${rule}, ${formatNumber(count)} times` })
export const customRule = (rule: string) => `Custom: ${rule}`
