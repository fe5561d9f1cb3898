import * as t from '#locale/mail'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useBusyAttempt } from '../../../ui/use-busy-attempt.ts'
import type { Email } from '../folders.ts'

/** Requests a reply draft from the service. Automated mail gets no draft. */
export const useReplyDraft = (onDrafted: (email: Email, words: string) => void) => {
  const client = useClient()
  const notify = useNotify()
  const { isBusy, attempt } = useBusyAttempt()
  const begin = (email: Email) =>
    attempt(async () => {
      const { reason, text, gaps } = await unwrap(
        client.POST('/api/emails/{id}/reply-draft', { params: { path: { id: email.id } }, body: {} }),
      )
      if (reason !== null) return void notify(t.noReplyReasons[reason])
      onDrafted(email, text)
      notify(gaps.length > 0 ? t.replyDraftedWithGaps : t.replyDrafted)
    })
  return { begin, isBusy }
}
