import { useMemo } from 'react'
import * as t from '#locale/mail'
import * as folderTexts from '#locale/mail-folders'
import * as later from '#locale/mail-later'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { ApiError, describeError } from '../../api/problem.ts'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { usePendingDeletions, useUndoableDelete } from '../../ui/use-undoable-delete.ts'
import {
  type EmailChange,
  patchEmailOfThread,
  patchThread,
  type Scope,
  type ThreadChange,
} from './email-cache.ts'
import { type MailFolder, toFolder } from './folder-list.ts'
import { type EmailSummary, type Folder, subjectOf } from './folders.ts'
import { isRead, type Thread } from './threads.ts'
import { useEmailChanges } from './use-email-changes.ts'

/** Limits of the API for one request. */
const MAX_THREADS = 100
const MAX_EMAILS = 1_000
const DELETED_EMAILS = 'emails'
const DELETED_THREADS = 'threads'

const useDeletedIds = (kind: string): ReadonlySet<number> => {
  const pendingDeletions = usePendingDeletions<readonly number[]>(kind)
  return useMemo(() => new Set(pendingDeletions.flat()), [pendingDeletions])
}

/** Ids of emails, and of threads, whose permanent deletion can still be undone. */
export const usePendingEmailDeletions = () => useDeletedIds(DELETED_EMAILS)
export const usePendingThreadDeletions = () => useDeletedIds(DELETED_THREADS)

const split = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** Names emails in a text: one by its subject, several by their number. */
export const describeEmails = (
  emails: readonly Pick<EmailSummary, 'subject'>[],
): { count: number; subject: string } => ({
  count: emails.length,
  subject: emails[0] ? subjectOf(emails[0]) : '',
})

const ignoreNotFound = (error: unknown): void => {
  if (!(error instanceof ApiError && error.status === 404)) throw error
}

const hasTag = ({ tags }: Pick<Thread, 'tags'>, tag: string): boolean =>
  tags.some((known) => known.toLowerCase() === tag.toLowerCase())

/** Emails in these folders change only if the request names the folder. */
const NAMED_ONLY: readonly Folder[] = ['junk', 'trash']

/** Groups threads by the folder whose emails change. Null stands for all folders. */
const groupByScope = (threads: readonly Thread[], scope: Scope | null): [Scope | null, Thread[]][] => {
  if (scope !== null) return [[scope, [...threads]]]
  const isOther = ({ folder }: Thread) => !NAMED_ONLY.includes(folder)
  const groups: [Scope | null, Thread[]][] = [
    [null, threads.filter(isOther)],
    ...NAMED_ONLY.map((folder): [Scope, Thread[]] => [
      { folder, folderId: null },
      threads.filter((thread) => thread.folder === folder),
    ]),
  ]
  return groups.filter(([, group]) => group.length > 0)
}

const toScopeFields = (scope: Scope | null): { folder?: Folder; folderId?: number } => {
  if (scope === null) return {}
  return scope.folderId === null ? { folder: scope.folder } : { folderId: scope.folderId }
}

const toOrigin = (fromFolderId: number | null) => (fromFolderId === null ? {} : { fromFolderId })

/** The folder in which the list shows the email. */
const findPlace = ({ folder, folderId, folders }: EmailSummary, scope: Scope | null) => {
  const isShown = ({ id, role }: EmailSummary['folders'][number]) =>
    scope !== null && (scope.folderId === null ? role === scope.folder : id === scope.folderId)
  return folders.find(isShown) ?? { id: folderId, role: folder }
}

/** Whether other lists may gain or lose the thread. */
const isListChange = ({ folder, snoozedUntil, pinned }: ThreadChange): boolean =>
  folder !== undefined || snoozedUntil !== undefined || pinned !== undefined

export type EmailActions = ReturnType<typeof useEmailActions>

/**
 * Optimistic actions on threads and on single emails. A failed request restores the state of the service. `scope`
 * is the folder of the list: only the emails in it change. Null stands for all folders.
 */
export const useEmailActions = (scope: Scope | null) => {
  const client = useClient()
  const notify = useNotify()
  const deleteWithUndo = useUndoableDelete()
  const changes = useEmailChanges()
  const dates = useDates()

  /** Runs a change after the earlier ones. Returns undefined after a failure, which a toast has reported. */
  const run = async <T>(work: () => Promise<T>, { isMove = false } = {}): Promise<T | undefined> => {
    try {
      return await changes.runInOrder(work)
    } catch (error) {
      notify(describeError(error), { failed: true })
      await changes.reset()
      return undefined
    } finally {
      await changes.end(isMove)
    }
  }

  const sendMarks = async (emails: readonly ({ id: number } & EmailChange)[]): Promise<void> => {
    for (const part of split(emails, MAX_EMAILS))
      await unwrap(client.PATCH('/api/emails', { body: { emails: part } }))
  }

  /** Changes single emails of an open thread. */
  const applyToEmails = async (emails: readonly EmailSummary[], change: EmailChange): Promise<boolean> => {
    if (emails.length === 0) return true
    await changes.begin()
    for (const email of emails)
      changes.showInLists(new Map([[email.threadId, patchEmailOfThread(email, change)]]))
    changes.showInThreads(new Map(emails.map(({ id }) => [id, change])))
    const done = await run(
      async () => {
        // A queued email would be sent from the trash as well.
        for (const { id, delivery } of emails)
          if (change.folder === 'trash' && delivery?.status === 'queued')
            await unwrap(client.POST('/api/emails/{id}/cancel-send', { params: { path: { id } } }))
        await sendMarks(emails.map(({ id }) => ({ id, ...change })))
        return true
      },
      { isMove: change.folder !== undefined },
    )
    return done ?? false
  }

  /** Returns the changed emails with their previous values, or undefined after a failure. */
  const apply = async (threads: readonly Thread[], change: ThreadChange) => {
    if (threads.length === 0) return undefined
    await changes.begin()
    changes.showInLists(new Map(threads.map(({ id }) => [id, patchThread(change, scope)])))
    return run(
      async () => {
        const before: ({ id: number } & EmailChange)[] = []
        for (const [named, group] of groupByScope(threads, scope))
          for (const part of split(group, MAX_THREADS)) {
            const body = { threadIds: part.map(({ id }) => id), ...toScopeFields(named), change }
            before.push(...(await unwrap(client.PATCH('/api/threads', { body }))).emails)
          }
        return before
      },
      { isMove: isListChange(change) },
    )
  }

  const restore = async (
    threads: readonly Thread[],
    before: readonly ({ id: number } & EmailChange)[],
    text: string,
  ): Promise<void> => {
    await changes.begin()
    changes.showAgain(threads, scope)
    if (await run(() => sendMarks(before).then(() => true), { isMove: true })) notify(text)
  }

  const move = async (
    threads: readonly Thread[],
    target: Pick<ThreadChange, 'folder' | 'folderId'>,
    toastText: (emails: { count: number; subject: string }) => string,
  ): Promise<void> => {
    const before = await apply(threads, target)
    if (!before) return
    const described = describeEmails(threads)
    notify(toastText(described), { undo: () => void restore(threads, before, t.restored(described)) })
  }

  return {
    scope,
    archive: (threads: readonly Thread[]) => move(threads, { folder: 'archive' }, t.archived),
    toInbox: (threads: readonly Thread[]) => move(threads, { folder: 'inbox' }, t.movedToInbox),
    toTrash: (threads: readonly Thread[]) => move(threads, { folder: 'trash' }, t.movedToTrash),
    toJunk: (threads: readonly Thread[]) => move(threads, { folder: 'junk' }, folderTexts.markedSpam),
    /** Moves the threads of the folder's mail account. Those of other accounts stay. */
    toFolder: (threads: readonly Thread[], folder: MailFolder, name: string) =>
      move(
        threads.filter(({ accountId, folderId }) => accountId === folder.accountId && folderId !== folder.id),
        { folder: toFolder(folder), folderId: folder.id },
        (described) => folderTexts.movedTo({ ...described, folder: name }),
      ),
    markRead: (threads: readonly Thread[], read: boolean) =>
      apply(
        threads.filter((thread) => isRead(thread) !== read),
        { read },
      ),
    star: (threads: readonly Thread[], starred: boolean) =>
      apply(
        threads.filter((thread) => thread.starred !== starred),
        { starred },
      ),

    async snooze(threads: readonly Thread[], snoozedUntil: string): Promise<void> {
      const before = await apply(threads, { snoozedUntil })
      if (!before) return
      const described = describeEmails(threads)
      const when = dates.nearDue(snoozedUntil, null, new Date())
      notify(later.snoozedEmails({ ...described, when }), {
        undo: () => void restore(threads, before, t.restored(described)),
      })
    },

    async unsnooze(threads: readonly Thread[]): Promise<void> {
      const before = await apply(threads, { snoozedUntil: null })
      if (!before) return
      notify(later.unsnoozed(describeEmails(threads)), {
        undo: () => void restore([], before, t.undone),
      })
    },

    pin: (threads: readonly Thread[], pinned: boolean) =>
      apply(
        threads.filter((thread) => thread.pinned !== pinned),
        { pinned },
      ),

    async addTag(threads: readonly Thread[], tag: string): Promise<void> {
      const tagged = threads.filter((thread) => !hasTag(thread, tag) || thread.messageCount > 1)
      const before = await apply(tagged, { addTags: [tag] })
      if (before && before.length > 0)
        notify(t.tagAdded({ tag, count: tagged.length }), {
          undo: () => void restore([], before, t.undone),
        })
    },

    async removeTag(threads: readonly Thread[], tag: string): Promise<void> {
      const tagged = threads.filter((thread) => hasTag(thread, tag))
      const before = await apply(tagged, { removeTags: [tag] })
      if (before && before.length > 0)
        notify(t.tagRemoved({ tag, count: tagged.length }), {
          undo: () => void restore([], before, t.undone),
        })
    },

    /** Deletes threads permanently after the undo period. */
    remove: (threads: readonly Thread[]): void =>
      deleteWithUndo({
        kind: DELETED_THREADS,
        target: threads.map(({ id }) => id),
        toastText: t.deleted(describeEmails(threads)),
        undoneText: t.restored(describeEmails(threads)),
        async send() {
          await changes.begin()
          try {
            for (const [named, group] of groupByScope(threads, scope))
              for (const part of split(group, MAX_THREADS)) {
                const body = { threadIds: part.map(({ id }) => id), ...toScopeFields(named) }
                await changes.runInOrder(() =>
                  unwrap(client.POST('/api/threads/delete', { body, keepalive: true })).catch(ignoreNotFound),
                )
              }
          } finally {
            await changes.end(true)
          }
        },
      }),

    /** Actions on single emails of an open thread. */
    emails: {
      markRead: (emails: readonly EmailSummary[], read: boolean) =>
        applyToEmails(
          emails.filter((email) => email.read !== read),
          { read },
        ),
      star: (email: EmailSummary, starred: boolean) => applyToEmails([email], { starred }),
      setTags: (email: EmailSummary, tags: string[]) => applyToEmails([email], { tags }),
      /** Reminds if nobody answers the email until then. Null removes the reminder. */
      async followUp(email: EmailSummary, followUpAt: string | null): Promise<void> {
        const before = email.followUpAt
        if (!(await applyToEmails([email], { followUpAt }))) return
        notify(followUpAt === null ? later.reminderRemoved : later.reminderSet(dates.dateTime(followUpAt)), {
          undo: () => void applyToEmails([email], { followUpAt: before }),
        })
      },
      async toTrash(email: EmailSummary): Promise<void> {
        const { role: folder, id: folderId } = findPlace(email, scope)
        if (!(await applyToEmails([email], { folder: 'trash', ...toOrigin(folderId) }))) return
        const described = describeEmails([email])
        const undo = async () => {
          const path = { id: email.id }
          const trashed = await run(() => unwrap(client.GET('/api/emails/{id}', { params: { path } })))
          const trash = trashed?.folders.find(({ role }) => role === 'trash')
          const origin = trash ? toOrigin(trash.id) : { fromFolder: 'trash' as const }
          const change = { folder, ...(folderId !== null && { folderId }), ...origin }
          if (trashed && (await applyToEmails([trashed], change))) notify(t.restored(described))
        }
        notify(t.movedToTrash(described), { undo: () => void undo() })
      },
      /** Deletes permanently after the undo period. */
      remove: (email: EmailSummary): void =>
        deleteWithUndo({
          kind: DELETED_EMAILS,
          target: [email.id],
          toastText: t.deleted(describeEmails([email])),
          undoneText: t.restored(describeEmails([email])),
          async send() {
            await changes.begin()
            try {
              const params = { path: { id: email.id } }
              await changes.runInOrder(() =>
                unwrap(client.DELETE('/api/emails/{id}', { params, keepalive: true })).catch(ignoreNotFound),
              )
            } finally {
              await changes.end(true)
            }
          },
        }),
    },
  }
}
