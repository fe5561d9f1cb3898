import { PRIORITIES, type Priority, type Status } from './schema.ts'

/*
 * Where a task stands in a list, as one number, so that every list is a page of an index: open ones first, by due
 * date and then by priority, those without a date after all others; then what is closed, the latest first.
 */

const STEPS = PRIORITIES.length
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')
/** All that is open stands before it, all that is closed behind. */
export const FIRST_CLOSED = (LATEST + 2) * STEPS

/** The first place of what is due at an instant. */
export const placeAt = (dueMs: number): number => dueMs * STEPS

const placeOfDue = (dueMs: number, priority: Priority): number =>
  placeAt(dueMs) + STEPS - 1 - PRIORITIES.indexOf(priority)

export const isOpen = (status: Status): boolean => status === 'todo' || status === 'doing'

export const placesOf = (task: {
  status: Status
  priority: Priority
  dueAt: string | null
  closedAt: string | null
}): { place: number; duePlace: number | null } => {
  const duePlace = task.dueAt === null ? null : placeOfDue(Date.parse(task.dueAt), task.priority)
  if (!isOpen(task.status))
    return { place: FIRST_CLOSED + LATEST - Date.parse(task.closedAt as string), duePlace }
  return { place: duePlace ?? placeOfDue(LATEST + 1, task.priority), duePlace }
}
