import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Shape, unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { tell } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { type EmailSummary, type Folder, subjectOf } from './folders.ts'
import { KEYS } from './use-emails.ts'

type Change = Shape<'EmailChange'>
type Pages = InfiniteData<{ emails: { id: number; folder: Folder }[]; nextCursor: string | null }>

const AT_ONCE = 4

/** Runs `work` for each, a few at a time; the first failure is thrown when all have been tried. */
const forEach = async <T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> => {
  const waiting = [...items]
  const failures: unknown[] = []
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  if (failures.length > 0) throw failures[0]
}

const countOf = (emails: readonly EmailSummary[]): string =>
  emails.length === 1 && emails[0] ? `“${subjectOf(emails[0])}”` : `${emails.length} e-mails`
const areOf = (emails: readonly EmailSummary[]): string => (emails.length === 1 ? 'is' : 'are')

export type EmailActions = ReturnType<typeof useEmailActions>

/** What can be done with e-mails. It is seen at once; what the service refuses comes back. */
export const useEmailActions = () => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const underWay = useRef(0)

  const show = (ids: ReadonlySet<number>, change: Change): void => {
    queries.setQueriesData<Pages>({ queryKey: KEYS.threads }, (data) => data && edit(data, ids, change))
    for (const [key, data] of queries.getQueriesData<Pages>({ queryKey: KEYS.lists })) {
      if (!data) continue
      const { folder: listed } = key[2] as { folder: Folder | null }
      const leaves = change.folder !== undefined && listed !== null && listed !== change.folder
      queries.setQueryData(key, leaves ? without(data, ids) : edit(data, ids, change))
    }
  }

  const patch = (id: number, body: Change) =>
    unwrap(client.PATCH('/api/emails/{id}', { params: { path: { id } }, body }))

  /** Lists are read again when nothing more is on its way: what is read in between would bring back what has left. */
  const settle = async (reread: boolean): Promise<void> => {
    underWay.current--
    if (underWay.current > 0) return
    await queries.invalidateQueries({ queryKey: reread ? KEYS.all : KEYS.counts })
  }

  const apply = async (
    emails: readonly EmailSummary[],
    changeOf: (email: EmailSummary) => Change,
    shown: Change,
  ): Promise<boolean> => {
    if (emails.length === 0) return true
    underWay.current++
    // A list that is being read may still say what was; it is read again.
    const isReading = queries.isFetching({ queryKey: KEYS.lists }) > 0
    if (shown.folder !== undefined) await queries.cancelQueries({ queryKey: KEYS.lists })
    show(new Set(emails.map(({ id }) => id)), shown)
    let failed = false
    try {
      await forEach(emails, async (email) => {
        const change = changeOf(email)
        // What is about to be sent would be sent from the bin as well.
        if (change.folder === 'trash' && email.delivery?.status === 'queued')
          await unwrap(client.POST('/api/emails/{id}/cancel-send', { params: { path: { id: email.id } } }))
        await patch(email.id, change)
      })
    } catch (error) {
      failed = true
      notify(tell(error), { failed: true })
    }
    await settle(failed || isReading || shown.folder !== undefined)
    return !failed
  }

  const move = async (emails: readonly EmailSummary[], folder: Folder, said: string): Promise<void> => {
    const moved = emails.filter((email) => email.folder !== folder)
    if (moved.length === 0) return
    if (!(await apply(moved, () => ({ folder }), { folder }))) return
    notify(`${countOf(moved)} ${areOf(moved)} ${said}.`, { undo: () => void putBack(moved) })
  }

  const putBack = async (emails: readonly EmailSummary[]): Promise<void> => {
    const folders = new Set(emails.map(({ folder }) => folder))
    for (const folder of folders) {
      const these = emails.filter((email) => email.folder === folder)
      if (!(await apply(these, () => ({ folder }), { folder }))) return
    }
    notify(`${countOf(emails)} ${areOf(emails)} back.`)
  }

  return {
    archive: (emails: readonly EmailSummary[]) => move(emails, 'archive', 'archived'),
    toInbox: (emails: readonly EmailSummary[]) => move(emails, 'inbox', 'in the inbox'),
    toTrash: (emails: readonly EmailSummary[]) => move(emails, 'trash', 'in the trash'),
    markRead: (emails: readonly EmailSummary[], read: boolean) =>
      apply(
        emails.filter((email) => email.read !== read),
        () => ({ read }),
        { read },
      ),
    star: (emails: readonly EmailSummary[], starred: boolean) =>
      apply(
        emails.filter((email) => email.starred !== starred),
        () => ({ starred }),
        { starred },
      ),
    setTags: (email: EmailSummary, tags: string[]) => apply([email], () => ({ tags }), { tags }),

    /** For good; throws what was refused, for the dialog that asked. `onGone` leaves what is no longer there. */
    async remove(emails: readonly EmailSummary[], onGone: () => void): Promise<void> {
      underWay.current++
      try {
        await forEach(emails, ({ id }) =>
          unwrap(client.DELETE('/api/emails/{id}', { params: { path: { id } } })),
        )
        onGone()
        notify(`${countOf(emails)} ${areOf(emails)} deleted.`)
      } finally {
        setTimeout(() => void settle(true), 0)
      }
    },
  }
}

const edit = (data: Pages, ids: ReadonlySet<number>, change: Change): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({
    ...page,
    emails: page.emails.map((email) => (ids.has(email.id) ? { ...email, ...change } : email) as typeof email),
  })),
})

const without = (data: Pages, ids: ReadonlySet<number>): Pages => ({
  ...data,
  pages: data.pages.map((page) => ({ ...page, emails: page.emails.filter(({ id }) => !ids.has(id)) })),
})
