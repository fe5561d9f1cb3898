import { taskHref } from '../tasks/url-state.ts'

/** The address of the page of an item. The calendar has no address for an event. */
export const addressOfSubject = ({ type, id }: { type: string; id: number }): string => {
  if (type === 'email') return `/mail/inbox/${id}`
  if (type === 'task') return taskHref(id)
  return type === 'contact' ? `/contacts/${id}` : '/calendar'
}
