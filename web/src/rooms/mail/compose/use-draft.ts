import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ifMatch, type Shape, unwrap, unwrapVersion } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ApiError } from '../../../api/problem.ts'
import { KEYS } from '../use-emails.ts'
import { isGood } from './addresses.ts'
import type { Fields, Seed } from './seeds.ts'
import { useUnsaved } from './use-unsaved.ts'

const SAVES_AFTER_MS = 1_200

/** `elsewhere`: another window has changed the draft, and nothing is written over that unasked. */
export type SaveState = 'untouched' | 'dirty' | 'saving' | 'saved' | 'failed' | 'elsewhere'

type Account = Shape<'MailAccount'>

/** What is written down of a draft. An address that is not one yet is not sent to, and not kept either. */
const bodyOf = (fields: Fields, account: Account | undefined) => ({
  to: fields.to.filter(isGood),
  cc: fields.cc.filter(isGood),
  bcc: fields.bcc.filter(isGood),
  subject: fields.subject,
  text: fields.text,
  attachmentIds: fields.attachments.map(({ id }) => id),
  ...(account && { from: { name: account.senderName, address: account.address } }),
})

/** An e-mail that is being written, and is kept while it is. */
export const useDraft = (seed: Seed, account: Account | undefined, onSaved?: (id: number) => void) => {
  const client = useClient()
  const queries = useQueryClient()
  const saved = useRef(seed.saved)
  const nameOf = (): string =>
    saved.current ? `draft ${saved.current.id}` : `draft ${seed.inReplyTo ?? ''} ${seed.fields.subject}`
  const unsaved = useUnsaved()
  const [found] = useState(() => unsaved.read(nameOf()))
  const [fields, setFields] = useState(found ?? seed.fields)
  const [state, setState] = useState<SaveState>(found ? 'dirty' : seed.saved ? 'saved' : 'untouched')
  const latest = useRef({ fields, account })
  latest.current = { fields, account }
  const isDirty = useRef(found !== null)
  const isOver = useRef(false)
  const line = useRef<Promise<void>>(Promise.resolve())

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

  /** One after the other, so that the last words are the last that are written. */
  const save = (): Promise<void> => {
    line.current = line.current.then(async () => {
      if (!isDirty.current || isOver.current) return
      isDirty.current = false
      setState('saving')
      try {
        const name = nameOf()
        await write()
        unsaved.forget(name)
        setState(isDirty.current ? 'dirty' : 'saved')
        void queries.invalidateQueries({ queryKey: KEYS.counts })
        void queries.invalidateQueries({ queryKey: KEYS.lists })
      } catch (error) {
        isDirty.current = true
        const isElsewhere = error instanceof ApiError && (error.status === 412 || error.status === 404)
        setState(isElsewhere ? 'elsewhere' : 'failed')
        if (!isElsewhere) unsaved.keep(nameOf(), latest.current.fields)
      }
    })
    return line.current
  }
  const moveTo = async (id: number, folder: 'trash' | 'drafts'): Promise<void> => {
    await unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body: { folder } }))
    await queries.invalidateQueries({ queryKey: KEYS.all })
  }
  const saveNow = useRef(save)
  saveNow.current = save

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was written
  useEffect(() => {
    if (!isDirty.current || state === 'elsewhere') return
    const timer = setTimeout(() => void saveNow.current(), SAVES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [fields])

  // Whoever leaves, by a click or by closing the window, finds it under Drafts.
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') void saveNow.current()
    }
    const warn = (event: BeforeUnloadEvent) => {
      if (isDirty.current && !isOver.current) event.preventDefault()
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
    /** Over what another window wrote; or as a new draft, when it has deleted the old one. */
    async saveMine(): Promise<void> {
      const id = saved.current?.id
      const isThere =
        id !== undefined && (await client.GET('/api/emails/{id}', { params: { path: { id } } })).response.ok
      saved.current = isThere && id !== undefined ? { id, etag: null } : null
      isDirty.current = true
      await saveNow.current()
    },
    /** Throws it away, to where it can be fetched back from; null when there was nothing to throw away. */
    async discard(): Promise<number | null> {
      await saveNow.current()
      isOver.current = true
      const id = saved.current?.id ?? null
      if (id !== null) await moveTo(id, 'trash')
      return id
    },
    restore: (id: number): Promise<void> => moveTo(id, 'drafts'),
    /** It was sent: the draft has become another e-mail. */
    async end(): Promise<void> {
      await line.current
      isOver.current = true
      const id = saved.current?.id
      if (id !== undefined)
        await unwrap(client.DELETE('/api/emails/{id}', { params: { path: { id } } })).catch(() => {})
      // When the page has left it: what is gone is not asked for again.
      setTimeout(() => void queries.invalidateQueries({ queryKey: KEYS.all }), 0)
    },
    savedId: (): number | null => saved.current?.id ?? null,
  }
}
