import type { PageSubject } from '../../shell/page-subject.ts'
import type { ChatAction } from './use-chat.ts'

/** An item that an answer names, as the tool returned it. */
export interface AnswerItem {
  type: PageSubject['type'] | 'draft' | 'commitment' | 'reservation'
  id: number
  /** The fields at the time of the answer. The card of an unchanged item loads the current ones. */
  data: Readonly<Record<string, unknown>>
  /** The fields that the answer changed, as they were before. */
  before: Readonly<Record<string, unknown>>
  occurrence: string | null
  /** A sentence of an email that asks for something. */
  quote: string | null
  /** Why the item needs attention. */
  reasons: readonly Reason[]
  /** The tool and the undo of the change, if the answer changed the item. */
  action: ChatAction | null
}

/** A reason of `get_priorities`. The numbers depend on the code. */
export interface Reason {
  code: string
  days?: number
  minutes?: number
  level?: string
}

export interface Slot {
  start: string
  end: string
  /** The length that was asked for. Null if the whole time was. */
  minutes: number | null
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isReason = (value: unknown): value is Reason => isFields(value) && typeof value.code === 'string'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The id of the item, or of what the item became. */
const readId = ({ id, emailId, eventId, taskId }: Fields): number | undefined =>
  [id, emailId, eventId, taskId].find((each) => typeof each === 'number')

const toItem = (
  type: AnswerItem['type'],
  value: unknown,
  action: ChatAction | null = null,
): AnswerItem | [] => {
  if (!isFields(value)) return []
  const id = readId(value)
  if (id === undefined) return []
  const { occurrenceStart, asks, quotes, quote, reasons } = value
  const said = type === 'commitment' ? [] : [...listOf(asks), ...listOf(quotes), quote]
  return {
    type,
    id,
    data: value,
    before: action?.before ?? {},
    occurrence: typeof occurrenceStart === 'string' ? occurrenceStart : null,
    quote: said.find((each): each is string => typeof each === 'string') ?? null,
    reasons: listOf(reasons).filter(isReason),
    action,
  }
}

/** Lists of items in the results of tools. */
const LISTS: Readonly<Record<string, AnswerItem['type']>> = {
  emails: 'email',
  waiting: 'email',
  tasks: 'task',
  overdue: 'task',
  due: 'task',
  events: 'event',
  bookings: 'event',
  contacts: 'contact',
  commitments: 'commitment',
  reservations: 'reservation',
}

const KINDS = ['task', 'email', 'event'] as const

/** The items of `get_priorities`, which are of several kinds. */
const toPriority = (value: unknown): AnswerItem | [] => {
  const kind = isFields(value) ? KINDS.find((each) => each === value.kind) : undefined
  return kind === undefined ? [] : toItem(kind, value)
}

/** Tools that return one item, by the last part of their name. */
const SUBJECTS: Readonly<Record<string, AnswerItem['type']>> = {
  email: 'email',
  unanswered: 'email',
  task: 'task',
  event: 'event',
  contact: 'contact',
  commitment: 'commitment',
}

const itemsOfAction = (action: ChatAction): AnswerItem[] => {
  const { tool, status, result } = action
  if (status !== 'done' || !isFields(result)) return []
  const listed = [
    ...listOf(result.items).flatMap(toPriority),
    ...Object.entries(LISTS).flatMap(([name, type]) =>
      listOf(result[name]).flatMap((one) => toItem(type, one)),
    ),
  ]
  if (listed.length > 0) return listed
  const type = tool === 'draft_email' ? 'draft' : SUBJECTS[tool.split('_').at(-1) ?? '']
  return type === undefined ? [] : [toItem(type, result, action)].flat()
}

const keyOf = ({ type, id, occurrence }: AnswerItem): string => `${type} ${id} ${occurrence ?? ''}`

/** The items of an answer, each once. A later change of an item replaces an earlier result. */
export const itemsOf = (actions: readonly ChatAction[]): readonly AnswerItem[] => {
  const found = actions.flatMap(itemsOfAction)
  // A search that was followed by a change only found the item to change.
  const isChange = actions.some(({ status, undoId }) => undoId !== null || status === 'needs_confirmation')
  const all = isChange ? found.filter(({ action }) => action !== null && action.undoId !== null) : found
  const items = new Map<string, AnswerItem>()
  for (const item of all) {
    const key = keyOf(item)
    items.set(key, { ...item, before: { ...item.before, ...items.get(key)?.before } })
  }
  return [...items.values()]
}

/** The built-in engine may shorten a long title. */
const MENTIONED_CHARACTERS = 30

/**
 * Whether an answer of the built-in engine names the item. It reads more than it names: it looks for a person in all
 * events of two months.
 */
export const isMentioned = ({ type, data, action }: AnswerItem, text: string): boolean => {
  const titles = type === 'commitment' ? [data.text] : [data.title, data.subject, data.name]
  const title = titles.find((each) => typeof each === 'string')
  return action !== null || title === undefined || text.includes(title.slice(0, MENTIONED_CHARACTERS))
}

const isRange = (value: unknown): value is Pick<Slot, 'start' | 'end'> =>
  isFields(value) && typeof value.start === 'string' && typeof value.end === 'string'

/** The free times of an answer. */
export const slotsOf = (actions: readonly ChatAction[]): readonly Slot[] =>
  actions.flatMap(({ status, input, result }) => {
    if (status !== 'done' || !isFields(result)) return []
    const minutes = isFields(input) && typeof input.minutes === 'number' ? input.minutes : null
    return listOf(result.slots)
      .filter(isRange)
      .map(({ start, end }) => ({ start, end, minutes }))
  })
