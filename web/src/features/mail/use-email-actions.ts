import { useMemo } from 'react'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, describeError } from '../../api/problem.ts'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletions, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import type { EmailChange } from './email-cache.ts'
import type { MailFolder } from './folder-list.ts'
import { type EmailSummary, type Folder, subjectOf } from './folders.ts'
import { useEmailChanges } from './use-email-changes.ts'

const MAX_CONCURRENT = 4
const DELETION_KIND = 'emails'

/** Ids of emails whose permanent deletion can still be undone. */
export const usePendingEmailDeletions = (): ReadonlySet<number> => {
  const pendingDeletions = usePendingDeletions<readonly number[]>(DELETION_KIND)
  return useMemo(() => new Set(pendingDeletions.flat()), [pendingDeletions])
}

/** Runs `work` for each item with limited concurrency. Throws the first error after all items were tried. */
const forEachConcurrently = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  concurrency = MAX_CONCURRENT,
): Promise<void> => {
  const waiting = [...items]
  const failures: unknown[] = []
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  if (failures.length > 0) throw failures[0]
}

/** Names emails in a text: one by its subject, several by their number. */
export const describeEmails = (emails: readonly EmailSummary[]): { count: number; subject: string } => ({
  count: emails.length,
  subject: emails[0] ? subjectOf(emails[0]) : '',
})

const ignoreNotFound = (error: unknown): void => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

const hasTag = ({ tags }: EmailSummary, tag: string): boolean =>
  tags.some((known) => known.toLowerCase() === tag.toLowerCase())

export type EmailActions = ReturnType<typeof useEmailActions>

/** Optimistic email actions. A failed request restores the state of the service. */
export const useEmailActions = () => {
  const client = useClient()
  const notify = useNotify()
  const deleteWithUndo = useUndoableDelete()
  const changes = useEmailChanges()

  const send = async (email: EmailSummary, change: EmailChange): Promise<void> => {
    const params = { path: { id: email.id } }
    // A queued email would be sent from the trash as well.
    if (change.folder === 'trash' && email.delivery?.status === 'queued')
      await unwrap(client.POST('/api/emails/{id}/cancel-send', { params }))
    await unwrap(client.PATCH('/api/emails/{id}', { params, body: change }))
  }

  /** Returns false after a failure, which a toast has reported. */
  const apply = async (
    emails: readonly EmailSummary[],
    changeOf: (email: EmailSummary) => EmailChange,
  ): Promise<boolean> => {
    if (emails.length === 0) return true
    const wanted = new Map(emails.map((email) => [email.id, changeOf(email)]))
    await changes.begin()
    changes.showOptimistically(wanted)
    let failed = false
    try {
      await forEachConcurrently(emails, (email) =>
        changes.runInOrder(email.id, () => send(email, wanted.get(email.id) ?? {})),
      )
    } catch (error) {
      failed = true
      notify(describeError(error), { failed: true })
    }
    const moves = [...wanted.values()].some(
      ({ folder, folderId }) => folder !== undefined || folderId !== undefined,
    )
    await changes.end(failed || moves)
    return !failed
  }

  const restoreFolders = async (emails: readonly EmailSummary[]): Promise<void> => {
    const placeOf = ({ folder, folderId }: EmailSummary): EmailChange =>
      folderId === null ? { folder } : { folder, folderId }
    if (await apply(emails, placeOf)) notify(t.restored(describeEmails(emails)))
  }

  const move = async (
    emails: readonly EmailSummary[],
    folder: Folder,
    toastText: typeof t.archived,
  ): Promise<void> => {
    const moved = emails.filter((email) => email.folder !== folder)
    if (moved.length === 0 || !(await apply(moved, () => ({ folder })))) return
    notify(toastText(describeEmails(moved)), { undo: () => void restoreFolders(moved) })
  }

  const restoreTags = async (emails: readonly EmailSummary[]): Promise<void> => {
    if (await apply(emails, ({ tags }) => ({ tags }))) notify(t.undone)
  }

  const deleteOne = async (id: number): Promise<void> => {
    const params = { path: { id } }
    await unwrap(client.DELETE('/api/emails/{id}', { params, keepalive: true })).catch(ignoreNotFound)
  }

  return {
    archive: (emails: readonly EmailSummary[]) => move(emails, 'archive', t.archived),
    toInbox: (emails: readonly EmailSummary[]) => move(emails, 'inbox', t.movedToInbox),
    toTrash: (emails: readonly EmailSummary[]) => move(emails, 'trash', t.movedToTrash),
    toJunk: (emails: readonly EmailSummary[]) => move(emails, 'junk', folderTexts.markedSpam),
    /** Moves the emails of the folder's mail account. Emails of other accounts stay. */
    async toFolder(emails: readonly EmailSummary[], folder: MailFolder, name: string): Promise<void> {
      const moved = emails.filter(
        ({ accountId, folderId }) => accountId === folder.accountId && folderId !== folder.id,
      )
      if (moved.length === 0 || !(await apply(moved, () => ({ folderId: folder.id })))) return
      const text = folderTexts.movedTo({ ...describeEmails(moved), folder: name })
      notify(text, { undo: () => void restoreFolders(moved) })
    },
    markRead: (emails: readonly EmailSummary[], read: boolean) =>
      apply(
        emails.filter((email) => email.read !== read),
        () => ({ read }),
      ),
    star: (emails: readonly EmailSummary[], starred: boolean) =>
      apply(
        emails.filter((email) => email.starred !== starred),
        () => ({ starred }),
      ),
    setTags: (email: EmailSummary, tags: string[]) => apply([email], () => ({ tags })),

    async addTag(emails: readonly EmailSummary[], tag: string): Promise<void> {
      const tagged = emails.filter((email) => !hasTag(email, tag))
      if (tagged.length === 0 || !(await apply(tagged, ({ tags }) => ({ tags: [...tags, tag] })))) return
      notify(t.tagAdded({ tag, count: tagged.length }), { undo: () => void restoreTags(tagged) })
    },

    /** Deletes permanently after the undo period. */
    remove: (emails: readonly EmailSummary[]): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: emails.map(({ id }) => id),
        toastText: t.deleted(describeEmails(emails)),
        undoneText: t.restored(describeEmails(emails)),
        async send(isUnloading) {
          await changes.begin()
          try {
            const limit = isUnloading ? emails.length : MAX_CONCURRENT
            await forEachConcurrently(emails, ({ id }) => changes.runInOrder(id, () => deleteOne(id)), limit)
          } finally {
            await changes.end(true)
          }
        },
      }),
  }
}
