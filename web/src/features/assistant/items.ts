import type { PageSubject } from '../../shell/page-subject.ts'
import type { ChatAction } from './use-chat.ts'

/** An item that an answer names, as the tool returned it. */
export interface AnswerItem {
  type: PageSubject['type'] | 'draft'
  id: number
  /** The fields at the time of the answer. The card loads the current ones. */
  data: Readonly<Record<string, unknown>>
  occurrence: string | null
  /** A sentence of an email that asks for something. */
  quote: string | null
  /** The tool and the undo of the change, if the answer changed the item. */
  action: ChatAction | null
}

export interface Slot {
  start: string
  end: string
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toItem = (
  type: AnswerItem['type'],
  value: unknown,
  action: ChatAction | null = null,
): AnswerItem | [] => {
  if (!isFields(value)) return []
  const id = value.id ?? value.emailId
  if (typeof id !== 'number') return []
  const { occurrenceStart, asks } = value
  const [ask] = Array.isArray(asks) ? asks : []
  return {
    type,
    id,
    data: value,
    occurrence: typeof occurrenceStart === 'string' ? occurrenceStart : null,
    quote: typeof ask === 'string' ? ask : null,
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
}

/** Tools that return one item, by the last part of their name. */
const SUBJECTS: Readonly<Record<string, AnswerItem['type']>> = {
  email: 'email',
  unanswered: 'email',
  task: 'task',
  event: 'event',
  contact: 'contact',
}

const itemsOfAction = (action: ChatAction): AnswerItem[] => {
  const { tool, status, result } = action
  if (status !== 'done' || !isFields(result)) return []
  const listed = Object.entries(LISTS).flatMap(([name, type]) => {
    const list = result[name]
    return Array.isArray(list) ? list.flatMap((one: unknown) => toItem(type, one)) : []
  })
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
  return [...new Map(all.map((item) => [keyOf(item), item])).values()]
}

const isSlot = (value: unknown): value is Slot =>
  isFields(value) && typeof value.start === 'string' && typeof value.end === 'string'

/** The free times of an answer. */
export const slotsOf = (actions: readonly ChatAction[]): readonly Slot[] =>
  actions.flatMap(({ status, result }) =>
    status === 'done' && isFields(result) && Array.isArray(result.slots) ? result.slots.filter(isSlot) : [],
  )
