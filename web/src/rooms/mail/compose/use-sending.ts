import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { tell } from '../../../api/problem.ts'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { readAttachment, uploadFile } from '../attachment-bytes.ts'
import { subjectOf } from '../folders.ts'
import type { Way } from '../place.ts'
import { KEYS } from '../use-emails.ts'
import type { Fields } from './seeds.ts'

/** After the ten seconds in which it can be taken back, how it went is asked for at these distances. */
const ASKS_AFTER_MS = [11_000, 2_000, 3_000, 5_000, 10_000, 20_000]

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Not crypto.randomUUID: that is for secure pages only, and an instance at home may be plain http. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Takes back what waits to be sent, and goes on writing it. */
export const useTakeBack = (way: Way) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  return async (id: number): Promise<void> => {
    try {
      await unwrap(client.POST('/api/emails/{id}/cancel-send', { params: { path: { id } } }))
      await queries.invalidateQueries({ queryKey: KEYS.all })
      way.enter('drafts', id)
      notify('It is not sent. Go on writing.')
    } catch (error) {
      notify(tell(error), { failed: true })
      void queries.invalidateQueries({ queryKey: KEYS.all })
    }
  }
}

interface Sending {
  fields: Fields
  accountId: string
  inReplyTo: string | null
  /** The draft that has the attachments. */
  draftId: number | null
  sendAt: string | null
}

/** Sends; how it went is said when it is known, wherever one is by then. */
export const useSending = (way: Way) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const takeBack = useTakeBack(way)
  const { dateTime } = useDates()
  /** A try that got no answer is repeated with the same key and the same files: it is sent once. */
  const last = useRef<{ body: string; key: string } | null>(null)
  const uploads = useRef(new Map<string, string>())

  /** Attachments belong to their draft; what is sent gets files of its own. */
  const uploadFor = async (draftId: number, attachment: Fields['attachments'][number]): Promise<string> => {
    const known = uploads.current.get(attachment.id)
    if (known !== undefined) return known
    const content = await readAttachment(client, draftId, attachment)
    const typed = new Blob([content], { type: attachment.contentType })
    const { id } = await uploadFile(client, typed, attachment.filename)
    uploads.current.set(attachment.id, id)
    return id
  }

  const tellOutcome = async (id: number, isTakenBack: () => boolean): Promise<void> => {
    for (const ms of ASKS_AFTER_MS) {
      await wait(ms)
      if (isTakenBack()) return
      const { data } = await client
        .GET('/api/emails/{id}', { params: { path: { id } } })
        .catch(() => ({ data: undefined }))
      if (!data?.delivery || data.delivery.status === 'cancelled') return
      const { status, error } = data.delivery
      if (status === 'queued' && error === null) continue
      await queries.invalidateQueries({ queryKey: KEYS.all })
      const name = `“${subjectOf(data)}”`
      if (status === 'sent') notify(error === null ? `${name} is sent.` : `${name} is sent. ${error}`)
      else if (status === 'failed') notify(`${name} was not sent. ${error ?? ''}`, { failed: true })
      else if (status === 'uncertain')
        notify(`It is not certain whether ${name} was sent. It is under Sent.`, { failed: true })
      else notify(`${name} has not gone out yet; it is tried again by itself.`, { failed: true })
      return
    }
  }

  return async ({ fields, accountId, inReplyTo, draftId, sendAt }: Sending): Promise<void> => {
    const attachmentIds: string[] = []
    if (draftId !== null)
      for (const attachment of fields.attachments) attachmentIds.push(await uploadFor(draftId, attachment))
    const body: Shape<'SendEmail'> = {
      accountId,
      to: [...fields.to],
      cc: [...fields.cc],
      bcc: [...fields.bcc],
      subject: fields.subject,
      text: fields.text,
      attachmentIds,
      ...(inReplyTo !== null && { inReplyTo }),
      ...(sendAt !== null && { sendAt }),
    }
    const written = JSON.stringify(body)
    if (last.current?.body !== written) last.current = { body: written, key: newKey() }
    const email = await unwrap(
      client.POST('/api/emails/send', { body, params: { header: { 'Idempotency-Key': last.current.key } } }),
    )
    // The answer to a token with mail:draft, which no session has.
    if ('actionId' in email) {
      notify('Confirm the send in the assistant.')
      return
    }
    let takenBack = false
    const said =
      sendAt === null ? `“${subjectOf(email)}” is on its way.` : `It will be sent on ${dateTime(sendAt)}.`
    notify(said, {
      undo: () => {
        takenBack = true
        void takeBack(email.id)
      },
    })
    if (sendAt === null) void tellOutcome(email.id, () => takenBack)
  }
}
