import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/mail-compose'
import { ifMatch, unwrap, unwrapVersion } from '../../../api/client.ts'
import { useClient, useServices } from '../../../api/context.tsx'
import { ApiError, describeError } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { KEYS } from '../use-emails.ts'
import { isValidRecipient } from './addresses.ts'
import { listInlineIds } from './html-text.ts'
import type { Fields, Seed } from './seeds.ts'

/**
 * Keeps the text of a draft that could not be saved in this tab. The draft is saved when the user continues
 * it.
 */
const useUnsavedDraft = () => {
  const { savedForms, session } = useServices()
  const notify = useNotify()
  const isUnmounted = useRef(false)
  useEffect(() => {
    isUnmounted.current = false
    return () => {
      isUnmounted.current = true
    }
  }, [])
  return {
    read(name: string): Fields | null {
      const fields = savedForms.get(name)?.fields?.now as Fields | undefined
      // Earlier versions stored plain text only.
      return fields ? { ...fields, html: fields.html ?? null } : null
    },
    save(name: string, fields: Fields): void {
      const now = session.state.get()
      if (now.status === 'out' && now.why === 'signed-out') return
      savedForms.set(name, { fields: { was: null, now: fields } })
      if (isUnmounted.current) notify(t.couldNotSave, { failed: true })
    },
    discard: (name: string): void => savedForms.set(name, null),
  }
}

const AUTOSAVE_MS = 1_200

/** `elsewhere`: another window changed the draft. Nothing is overwritten without a decision. */
export type SaveState = 'untouched' | 'dirty' | 'saving' | 'saved' | 'failed' | 'elsewhere'

export interface Sender {
  accountId: string
  name: string
  address: string
}

const COPIED_SOURCE = /src="\/api\/emails\/\d+\/attachments\/([\w-]+)"/g
const EMBEDDED_SOURCE = /<img\b[^>]*\bsrc="data:[^"]*"[^>]*>/g
/** The limit of the API. */
const MAX_HTML = 1_000_000

/** The HTML for the API. Images of the quoted email refer to their copies. */
export const toMessageHtml = ({ html, copiedIds }: Pick<Fields, 'html' | 'copiedIds'>): string | null => {
  if (html === null) return null
  const written = html.replace(COPIED_SOURCE, (source, id: string) =>
    copiedIds[id] === undefined ? source : `src="cid:${copiedIds[id]}"`,
  )
  // A large image is still being uploaded. It is part of the next version.
  return written.length <= MAX_HTML ? written : written.replace(EMBEDDED_SOURCE, '')
}

/** Attachments without the images that the user has removed from the text. */
export const listUsedAttachments = (fields: Fields): readonly Fields['attachments'][number][] => {
  const displayed = listInlineIds(toMessageHtml(fields))
  return fields.attachments.filter(
    ({ id }) => fields.html === null || !fields.inlineIds.includes(id) || displayed.has(id),
  )
}

/** Request body of a draft. Invalid addresses are omitted. */
const bodyOf = (fields: Fields, sender: Sender | undefined, isClosing: boolean) => ({
  to: fields.to.filter(isValidRecipient),
  cc: fields.cc.filter(isValidRecipient),
  bcc: fields.bcc.filter(isValidRecipient),
  subject: fields.subject,
  // The service makes the text of a formatted message.
  ...(fields.html === null ? { text: fields.text, html: null } : { html: toMessageHtml(fields) }),
  // Until the draft closes, undo can bring a removed image back.
  attachmentIds: (isClosing ? listUsedAttachments(fields) : fields.attachments).map(({ id }) => id),
  ...(sender && { from: { name: sender.name, address: sender.address } }),
})

/** Composer state with autosave. */
export const useDraft = (
  seed: Seed,
  senderOf: (fields: Fields) => Sender | undefined,
  onSaved?: (id: number) => void,
) => {
  const client = useClient()
  const queries = useQueryClient()
  const saved = useRef(seed.saved)
  const nameOf = (): string =>
    saved.current ? `draft ${saved.current.id}` : `draft ${seed.inReplyTo ?? ''} ${seed.fields.subject}`
  const unsaved = useUnsavedDraft()
  const [found] = useState(() => unsaved.read(nameOf()))
  const [fields, setFields] = useState<Fields>(found ? { ...seed.fields, ...found } : seed.fields)
  const [saveError, setSaveError] = useState<string | null>(null)
  const [state, setState] = useState<SaveState>(found ? 'dirty' : seed.saved ? 'saved' : 'untouched')
  const latest = useRef({ fields, senderOf })
  latest.current = { fields, senderOf }
  const isClosing = useRef(false)
  const isDirty = useRef(found !== null)
  const isClosed = useRef(false)
  const saveQueue = useRef<Promise<void>>(Promise.resolve())

  const write = async (): Promise<void> => {
    const sender = latest.current.senderOf(latest.current.fields)
    const body = bodyOf(latest.current.fields, sender, isClosing.current)
    const { id, etag } = saved.current ?? { id: null, etag: null }
    const { value, etag: newEtag } = await (id === null
      ? unwrapVersion(
          client.POST('/api/emails', {
            body: {
              ...body,
              folder: 'drafts',
              accountId: sender?.accountId ?? null,
              inReplyTo: seed.inReplyTo,
            },
          }),
        )
      : unwrapVersion(
          client.PATCH('/api/emails/{id}', { params: { path: { id } }, body, headers: ifMatch(etag) }),
        ))
    saved.current = { id: value.id, etag: newEtag }
    if (id === null) onSaved?.(value.id)
  }

  /** Runs saves in sequence, so that the latest text is saved last. */
  const save = (): Promise<void> => {
    saveQueue.current = saveQueue.current.then(async () => {
      if (!isDirty.current || isClosed.current) return
      isDirty.current = false
      setState('saving')
      try {
        const name = nameOf()
        await write()
        unsaved.discard(name)
        setSaveError(null)
        setState(isDirty.current ? 'dirty' : 'saved')
        void queries.invalidateQueries({ queryKey: KEYS.counts })
        void queries.invalidateQueries({ queryKey: KEYS.lists })
      } catch (error) {
        isDirty.current = true
        const isElsewhere = error instanceof ApiError && (error.status === 412 || error.status === 404)
        setState(isElsewhere ? 'elsewhere' : 'failed')
        setSaveError(error instanceof ApiError && !isElsewhere ? describeError(error) : null)
        if (!isElsewhere) unsaved.save(nameOf(), latest.current.fields)
      }
    })
    return saveQueue.current
  }
  const moveTo = async (id: number, folder: 'trash' | 'drafts'): Promise<void> => {
    await unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body: { folder } }))
    await queries.invalidateQueries({ queryKey: KEYS.all })
  }
  const saveNow = useRef(save)
  saveNow.current = save

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after every change
  useEffect(() => {
    if (!isDirty.current || state === 'elsewhere') return
    const timer = setTimeout(() => void saveNow.current(), AUTOSAVE_MS)
    return () => clearTimeout(timer)
  }, [fields])

  // Saves when the user leaves the page or hides the window.
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') void saveNow.current()
    }
    const warn = (event: BeforeUnloadEvent) => {
      if (isDirty.current && !isClosed.current) event.preventDefault()
    }
    /** A failed draft is saved as soon as the connection is back. */
    const retry = () => void saveNow.current()
    document.addEventListener('visibilitychange', leave)
    window.addEventListener('beforeunload', warn)
    window.addEventListener('online', retry)
    isClosing.current = false
    return () => {
      window.removeEventListener('online', retry)
      document.removeEventListener('visibilitychange', leave)
      window.removeEventListener('beforeunload', warn)
      isClosing.current = true
      const { fields: last } = latest.current
      if (saved.current && listUsedAttachments(last).length < last.attachments.length) isDirty.current = true
      void saveNow.current()
    }
  }, [])

  return {
    fields,
    state,
    saveError,
    change(part: Partial<Fields>): void {
      isDirty.current = true
      setState((before) => (before === 'elsewhere' ? before : 'dirty'))
      setFields((before) => ({ ...before, ...part }))
    },
    edit(changeOf: (before: Fields) => Partial<Fields>): void {
      isDirty.current = true
      setState((before) => (before === 'elsewhere' ? before : 'dirty'))
      setFields((before) => ({ ...before, ...changeOf(before) }))
    },
    save: () => saveNow.current(),
    /** Overwrites the version of another window, or creates a new draft if the old one was deleted. */
    async saveMine(): Promise<void> {
      const id = saved.current?.id
      const isThere =
        id !== undefined && (await client.GET('/api/emails/{id}', { params: { path: { id } } })).response.ok
      saved.current = isThere && id !== undefined ? { id, etag: null } : null
      isDirty.current = true
      await saveNow.current()
    },
    /** Moves the draft to the trash and returns its id; null if it was never saved. */
    async discard(): Promise<number | null> {
      await saveNow.current()
      isClosed.current = true
      const id = saved.current?.id ?? null
      if (id !== null) await moveTo(id, 'trash')
      return id
    },
    restore: (id: number): Promise<void> => moveTo(id, 'drafts'),
    /** Deletes the draft after sending: the sent message is a separate email. */
    async end(): Promise<void> {
      await saveQueue.current
      isClosed.current = true
      const id = saved.current?.id
      if (id !== undefined)
        await unwrap(client.DELETE('/api/emails/{id}', { params: { path: { id } } })).catch(() => {})
      // Delayed until the page has closed the draft, because refetching it would return 404.
      setTimeout(() => void queries.invalidateQueries({ queryKey: KEYS.all }), 0)
    },
    savedId: (): number | null => saved.current?.id ?? null,
    /** The newest fields, also in a callback of an earlier render. */
    latest: (): Fields => latest.current.fields,
  }
}
