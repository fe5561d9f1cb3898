import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import type { Email } from '../folders.ts'
import { isFromOthers } from './insight/use-insight.ts'

const CALENDAR = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/

const hasCalendar = ({ attachments }: Email): boolean =>
  attachments.some(({ contentType, filename }) => CALENDAR.test(contentType) || /\.ics$/i.test(filename))

export const mayHaveInvitation = (email: Email): boolean => isFromOthers(email) && hasCalendar(email)

/** The meeting in an email. No data if the email has none, or if its calendar file cannot be read. */
export const useInvitation = (email: Email) => {
  const client = useClient()
  return useQuery({
    queryKey: ['calendar', 'invitation', email.id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/calendar/invitations/{emailId}', {
          params: { path: { emailId: email.id } },
          signal,
        }),
      ),
    retry: false,
    enabled: mayHaveInvitation(email),
  })
}
