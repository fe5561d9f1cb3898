import { useQueryClient } from '@tanstack/react-query'
import * as t from '#locale/mail-compose'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { type Email, subjectOf } from '../folders.ts'
import { KEYS } from '../use-emails.ts'

export type UnsentActions = ReturnType<typeof useUnsentActions>

/** Actions for an email whose delivery failed or is uncertain. */
export const useUnsentActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const decide = async (work: Promise<unknown>, toastText: string): Promise<void> => {
    await attempt(async () => {
      await work
      notify(toastText)
    })
    await queries.invalidateQueries({ queryKey: KEYS.all })
  }
  const pathOf = ({ id }: Email) => ({ params: { path: { id } } })
  return {
    /** The confirmation dialog has already warned that an uncertain email may arrive twice. */
    resend: (email: Email) =>
      decide(
        unwrap(
          client.POST('/api/emails/{id}/resend', {
            ...pathOf(email),
            body: email.delivery?.status === 'uncertain' ? { mayArriveTwice: true } : {},
          }),
        ),
        t.sendingAgain(subjectOf(email)),
      ),
    markSent: (email: Email) =>
      decide(
        unwrap(client.POST('/api/emails/{id}/mark-sent', pathOf(email))),
        t.markedAsSent(subjectOf(email)),
      ),
    discard: (email: Email) =>
      decide(
        unwrap(client.POST('/api/emails/{id}/discard-send', pathOf(email))),
        t.sendDiscarded(subjectOf(email)),
      ),
  }
}
