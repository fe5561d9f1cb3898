import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import * as t from '#locale/mail-compose'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { useRefetch } from '../../../api/use-refetch.ts'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { readAttachment, uploadFile } from '../attachment-bytes.ts'
import { subjectOf } from '../folders.ts'
import type { MailNavigation } from '../url-state.ts'
import { KEYS } from '../use-emails.ts'
import { replaceInlineIds } from './html-text.ts'
import type { Fields } from './seeds.ts'
import { listUsedAttachments, type Sender, toMessageHtml } from './use-draft.ts'

/** Poll intervals for the delivery status. The first poll is after the ten-second undo period. */
const POLL_DELAYS_MS = [11_000, 2_000, 3_000, 5_000, 10_000, 20_000]

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** `crypto.randomUUID` exists on secure pages only, and a home instance may use plain http. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Cancels a queued email and opens it as a draft. */
export const useCancelSend = (navigation: MailNavigation) => {
  const client = useClient()
  const refetch = useRefetch(KEYS.all)
  const notify = useNotify()
  const attempt = useAttempt()
  return async (id: number): Promise<void> => {
    const isCancelled = await attempt(async () => {
      await unwrap(client.POST('/api/emails/{id}/cancel-send', { params: { path: { id } } }))
      await refetch()
      navigation.enter('drafts', id)
      notify(t.sendingUndone)
    })
    if (!isCancelled) await refetch()
  }
}

interface SendInput {
  fields: Fields
  sender: Sender
  inReplyTo: string | null
  /** The draft that contains the attachments. */
  draftId: number | null
  sendAt: string | null
  followUpAt: string | null
}

/** Sends an email and reports the delivery result in a toast, on any page. */
export const useSendEmail = (navigation: MailNavigation) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const revert = useCancelSend(navigation)
  const { dateTime } = useDates()
  /**
   * A retry after a lost response reuses the idempotency key and the uploads, so that the email is sent once.
   */
  const last = useRef<{ body: string; key: string } | null>(null)
  const uploads = useRef(new Map<string, string>())

  /** Attachments belong to the draft, so the sent email needs copies. */
  const uploadFor = async (draftId: number, attachment: Fields['attachments'][number]): Promise<string> => {
    const known = uploads.current.get(attachment.id)
    if (known !== undefined) return known
    const content = await readAttachment(client, draftId, attachment)
    const typed = new Blob([content], { type: attachment.contentType })
    const { id } = await uploadFile(client, typed, attachment.filename)
    uploads.current.set(attachment.id, id)
    return id
  }

  const reportOutcome = async (id: number, isReverted: () => boolean): Promise<void> => {
    for (const ms of POLL_DELAYS_MS) {
      await wait(ms)
      if (isReverted()) return
      const { data } = await client
        .GET('/api/emails/{id}', { params: { path: { id } } })
        .catch(() => ({ data: undefined }))
      if (!data?.delivery || data.delivery.status === 'cancelled') return
      const { status, error } = data.delivery
      if (status === 'queued' && error === null) continue
      await queries.invalidateQueries({ queryKey: KEYS.all })
      const subject = subjectOf(data)
      if (status === 'sent') notify(error === null ? t.sent(subject) : t.sentWithProblem({ subject, error }))
      else if (status === 'failed') notify(t.notSent({ subject, error: error ?? '' }), { failed: true })
      else if (status === 'uncertain') notify(t.possiblySent(subject), { failed: true })
      else notify(t.notSentYet(subject), { failed: true })
      return
    }
  }

  return async ({ fields, sender, inReplyTo, draftId, sendAt, followUpAt }: SendInput): Promise<void> => {
    const ids = new Map<string, string>()
    // Without a draft, the uploads belong to no email yet.
    for (const attachment of listUsedAttachments(fields))
      ids.set(attachment.id, draftId === null ? attachment.id : await uploadFor(draftId, attachment))
    const html = toMessageHtml(fields)
    const body: Shape<'SendEmail'> = {
      accountId: sender.accountId,
      from: { name: sender.name, address: sender.address },
      to: [...fields.to],
      cc: [...fields.cc],
      bcc: [...fields.bcc],
      subject: fields.subject,
      ...(html === null ? { text: fields.text } : { html: replaceInlineIds(html, ids) }),
      attachmentIds: [...ids.values()],
      ...(inReplyTo !== null && { inReplyTo }),
      ...(sendAt !== null && { sendAt }),
      ...(followUpAt !== null && { followUpAt }),
    }
    const written = JSON.stringify(body)
    if (last.current?.body !== written) last.current = { body: written, key: newKey() }
    const email = await unwrap(
      client.POST('/api/emails/send', { body, params: { header: { 'Idempotency-Key': last.current.key } } }),
    )
    // Response for a token with the scope mail:draft. A session never gets it.
    if ('actionId' in email) {
      notify(t.confirmInAssistant)
      return
    }
    let isReverted = false
    notify(sendAt === null ? t.sending(subjectOf(email)) : t.scheduled(dateTime(sendAt)), {
      undo: () => {
        isReverted = true
        void revert(email.id)
      },
    })
    if (sendAt === null) void reportOutcome(email.id, () => isReverted)
  }
}
