import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/mail-compose'
import { ifMatch, type Shape, unwrap, unwrapVersion } from '../../../api/client.ts'
import { useClient, useServices } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { KEYS } from '../use-emails.ts'
import { isValidRecipient } from './addresses.ts'
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
    read: (name: string): Fields | null => (savedForms.get(name)?.fields?.now as Fields | undefined) ?? null,
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

type Account = Shape<'MailAccount'>

/** Request body of a draft. Invalid addresses are omitted. */
const bodyOf = (fields: Fields, account: Account | undefined) => ({
  to: fields.to.filter(isValidRecipient),
  cc: fields.cc.filter(isValidRecipient),
  bcc: fields.bcc.filter(isValidRecipient),
  subject: fields.subject,
  text: fields.text,
  attachmentIds: fields.attachments.map(({ id }) => id),
  ...(account && { from: { name: account.senderName, address: account.address } }),
})

/** Composer state with autosave. */
export const useDraft = (seed: Seed, account: Account | undefined, onSaved?: (id: number) => void) => {
  const client = useClient()
  const queries = useQueryClient()
  const saved = useRef(seed.saved)
  const nameOf = (): string =>
    saved.current ? `draft ${saved.current.id}` : `draft ${seed.inReplyTo ?? ''} ${seed.fields.subject}`
  const unsaved = useUnsavedDraft()
  const [found] = useState(() => unsaved.read(nameOf()))
  const [fields, setFields] = useState(found ?? seed.fields)
  const [state, setState] = useState<SaveState>(found ? 'dirty' : seed.saved ? 'saved' : 'untouched')
  const latest = useRef({ fields, account })
  latest.current = { fields, account }
  const isDirty = useRef(found !== null)
  const isClosed = useRef(false)
  const saveQueue = useRef<Promise<void>>(Promise.resolve())

  const write = async (): Promise<void> => {
    const body = bodyOf(latest.current.fields, latest.current.account)
    const { id, etag } = saved.current ?? { id: null, etag: null }
    const { value, etag: newEtag } = await (id === null
      ? unwrapVersion(
          client.POST('/api/emails', {
            body: {
              ...body,
              folder: 'drafts',
              accountId: latest.current.account?.id ?? null,
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
        setState(isDirty.current ? 'dirty' : 'saved')
        void queries.invalidateQueries({ queryKey: KEYS.counts })
        void queries.invalidateQueries({ queryKey: KEYS.lists })
      } catch (error) {
        isDirty.current = true
        const isElsewhere = error instanceof ApiError && (error.status === 412 || error.status === 404)
        setState(isElsewhere ? 'elsewhere' : 'failed')
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
    document.addEventListener('visibilitychange', leave)
    window.addEventListener('beforeunload', warn)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      window.removeEventListener('beforeunload', warn)
      void saveNow.current()
    }
  }, [])

  return {
    fields,
    state,
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
  }
}
