import { useQueryClient } from '@tanstack/react-query'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { tell } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { type Email, subjectOf } from '../folders.ts'
import { KEYS } from '../use-emails.ts'

export type UnsentDeeds = ReturnType<typeof useUnsent>

/** What can be decided about an e-mail that did not go, or may not have gone. */
export const useUnsent = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const decide = async (work: Promise<unknown>, said: string): Promise<void> => {
    try {
      await work
      notify(said)
    } catch (error) {
      notify(tell(error), { failed: true })
    }
    await queries.invalidateQueries({ queryKey: KEYS.all })
  }
  const pathOf = ({ id }: Email) => ({ params: { path: { id } } })
  return {
    /** Whoever asks has been told that it may arrive twice, where it may. */
    resend: (email: Email) =>
      decide(
        unwrap(
          client.POST('/api/emails/{id}/resend', {
            ...pathOf(email),
            body: email.delivery?.status === 'uncertain' ? { mayArriveTwice: true } : {},
          }),
        ),
        `“${subjectOf(email)}” is on its way again.`,
      ),
    markSent: (email: Email) =>
      decide(
        unwrap(client.POST('/api/emails/{id}/mark-sent', pathOf(email))),
        `“${subjectOf(email)}” counts as sent.`,
      ),
    discard: (email: Email) =>
      decide(
        unwrap(client.POST('/api/emails/{id}/discard-send', pathOf(email))),
        `“${subjectOf(email)}” is not sent. It is in the trash.`,
      ),
  }
}
