import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import type { CalendarEvent } from './event.ts'

const isInvitation = ({ organizer, attendees, status }: CalendarEvent): boolean =>
  organizer !== null && attendees.length > 0 && status !== 'cancelled'

/**
 * Returns a function that finds the user's entry among the attendees of an event that somebody else organizes. The
 * addresses of the user are loaded only if one of the events has attendees.
 */
export const useFindInvitation = (events: readonly CalendarEvent[]) => {
  const { data } = useQuery({ ...mailAccountsQuery(useClient()), enabled: events.some(isInvitation) })
  const own = new Set(data?.map(({ address }) => address.toLowerCase()))
  const isOwn = (address: string): boolean => own.has(address.toLowerCase())
  return (event: CalendarEvent): CalendarEvent['attendees'][number] | null =>
    isInvitation(event) && !isOwn(event.organizer?.email ?? '')
      ? (event.attendees.find(({ email }) => isOwn(email)) ?? null)
      : null
}
