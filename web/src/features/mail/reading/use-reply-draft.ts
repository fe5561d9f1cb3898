import { useState } from 'react'
import * as t from '#locale/mail'
import { unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import type { Email } from '../folders.ts'

/** Requests a reply draft from the service. Automated mail gets no draft. */
export const useReplyDraft = (onDrafted: (email: Email, words: string) => void) => {
  const client = useClient()
  const notify = useNotify()
  const [isBusy, setIsBusy] = useState(false)
  const begin = async (email: Email): Promise<void> => {
    setIsBusy(true)
    try {
      const { reason, text, gaps } = await unwrap(
        client.POST('/api/emails/{id}/reply-draft', { params: { path: { id: email.id } }, body: {} }),
      )
      if (reason !== null) return void notify(t.noReplyReasons[reason])
      onDrafted(email, text)
      notify(gaps.length > 0 ? t.replyDraftedWithGaps : t.replyDrafted)
    } catch (error) {
      notify(describeError(error), { failed: true })
    } finally {
      setIsBusy(false)
    }
  }
  return { begin, isBusy }
}
