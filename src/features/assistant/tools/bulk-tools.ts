import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import type { Folder } from '../../../database/tables/mail.ts'
import { AppError, conflict, invalidField } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { EmailChange } from '../../mail/messages/schema.ts'
import type { TaskChange } from '../../tasks/schema.ts'
import { MAX_BULK } from './contracts/contract.ts'
import type { ToolInput } from './contracts.ts'
import { ChangedItem, fieldsOf, MovedTo, pickValues, unlessChanged } from './journal.ts'
import { filterOpenEmails, toSearch } from './mail-search.ts'
import { getProposalTexts } from './proposal-texts.ts'
import type { ToolDeps } from './services.ts'
import { DeletedTask, deleteTask, formatDue, pickDue, restoreTask } from './task-tools.ts'
import { defineTool, type Tool, type ToolUse } from './tool.ts'

/** Yields to other requests after this number of items. */
const YIELD_INTERVAL = 25
const PAGE = 200
/** Items that a confirmation names. */
const MAX_EXAMPLES = 3
const MAX_EXAMPLE_LENGTH = 60

const truncate = (text: string): string =>
  text.length <= MAX_EXAMPLE_LENGTH ? text : `${text.slice(0, MAX_EXAMPLE_LENGTH - 1)}…`.toWellFormed()

/** Runs a step for each item and lets other requests run in between. */
const forEachItem = async <T>(items: readonly T[], step: (item: T) => Promise<void>): Promise<void> => {
  for (const [index, item] of items.entries()) {
    await step(item)
    if (index % YIELD_INTERVAL === YIELD_INTERVAL - 1) await setImmediate()
  }
}

/** Reads pages up to the limit of a bulk change. Only the items that `filter` keeps count. */
const readPages = async <T>(
  read: (page: { cursor?: string }) => Promise<{ items: readonly T[]; nextCursor: string | null }>,
  filter: (items: readonly T[]) => Promise<readonly T[]>,
) => {
  const items: T[] = []
  let next: string | null = null
  do {
    const page = await read(next === null ? {} : { cursor: next })
    items.push(...page.items)
    next = page.nextCursor
  } while (next !== null && items.length < MAX_BULK)
  const kept = await filter(items)
  return { found: kept.slice(0, MAX_BULK), more: next !== null || kept.length > MAX_BULK }
}

/** Returns undefined for an item that was deleted meanwhile. */
const unlessGone = async <T>(found: Promise<T>): Promise<T | undefined> => {
  try {
    return await found
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined
    throw error
  }
}

/** Gets the items that were not deleted meanwhile, each once. */
const getExisting = async <T>(ids: readonly number[], get: (id: number) => Promise<T>): Promise<T[]> => {
  const found: T[] = []
  for (const id of new Set(ids)) {
    const item = await unlessGone(get(id))
    if (item) found.push(item)
  }
  return found
}

type EmailFilters = Pick<ToolInput<'change_emails'>, 'query' | 'folder' | 'unread'>
type TaskFilters = Pick<ToolInput<'change_tasks'>, 'status' | 'tag' | 'listId' | 'query'>

const EMAIL_CHANGES: Readonly<Record<Exclude<ToolInput<'change_emails'>['change'], 'tag'>, EmailChange>> = {
  archive: { folder: 'archive' },
  trash: { folder: 'trash' },
  read: { read: true },
  unread: { read: false },
  star: { starred: true },
  unstar: { starred: false },
}

const createEmailTool = ({ contracts, emails, finding, journal }: ToolDeps): Tool => {
  const record = journal.define(
    'email',
    'assistant.email_bulk',
    Type.Object({
      emails: Type.Array(Type.Object({ ...ChangedItem, before: fieldsOf<EmailChange>(), movedTo: MovedTo })),
    }),
    async (left, _tx, userId) => {
      let restored = 0
      // Emails that the person changed since keep that change.
      await forEachItem(left.emails, async (one) => {
        const email = await unlessGone(emails.get(userId, one.id))
        if (email?.version !== one.version) return
        await emails.change(userId, one.id, one.before, etagOf(one), { from: one.movedTo })
        restored++
      })
      if (restored === 0) throw conflict('These emails have been changed or deleted since.')
    },
  )

  /** Finds the emails of a query up to the limit, newest first. */
  const find = ({ query = '', ...filters }: EmailFilters, use: ToolUse) => {
    const search = { ...filters, ...toSearch(query, use), limit: PAGE }
    return readPages(
      async (cursor) => {
        const { emails: items, nextCursor } = await finding.list(use.userId, { ...search, ...cursor })
        return { items, nextCursor }
      },
      async (items) => filterOpenEmails(items, use),
    )
  }

  const findGiven = async (ids: readonly number[], use: ToolUse) => {
    const existing = await getExisting(ids, (id) => emails.get(use.userId, id))
    return { found: filterOpenEmails(existing, use), more: false }
  }

  const toChange = (
    change: ToolInput<'change_emails'>['change'],
    tag: string,
    before: { tags: readonly string[] },
  ): EmailChange => (change === 'tag' ? { tags: [...new Set([...before.tags, tag])] } : EMAIL_CHANGES[change])

  return defineTool(contracts.change_emails, {
    async propose({ change, tag, ids, ...search }, use) {
      if (change === 'tag' && tag === undefined) throw invalidField('tag', 'is required')
      if (ids === undefined && (search.query ?? '').trim() === '' && search.folder === undefined)
        throw invalidField('query', 'or folder or ids is required')
      const { found, more } = ids ? await findGiven(ids, use) : await find(search, use)
      if (found.length === 0) throw conflict('No email matches. Nothing is to be changed.')
      const count = { count: found.length, more }
      const examples = found.slice(0, MAX_EXAMPLES).map(({ subject }) => truncate(subject))
      const summary = getProposalTexts(use.language).changeEmails(change, count, examples, tag ?? '')
      return {
        summary,
        about: null,
        input: {
          change,
          ...(tag !== undefined && { tag }),
          ...(search.folder && { folder: search.folder }),
          ids: found.map(({ id }) => id),
        },
      }
    },
    async run({ change, tag = '', folder, ids = [] }, { userId }) {
      return record(userId, async () => {
        const changed: { id: number; version: number; movedTo: Folder; before: EmailChange }[] = []
        await forEachItem(ids, async (id) => {
          const email = await unlessGone(emails.get(userId, id))
          if (!email) return
          const input = toChange(change, tag, email)
          const main = { id: email.folderId, role: email.folder }
          const { id: folderId, role: from } = email.folders.find(({ role }) => role === folder) ?? main
          const before = {
            ...pickValues({ ...email, folder: from }, Object.keys(input)),
            ...('folder' in input && from === 'other' && folderId !== null && { folderId }),
          }
          const { version, folder: movedTo } = await emails.change(userId, id, input, undefined, { from })
          if (version !== email.version) changed.push({ id, version, movedTo, before })
        })
        const count = `${changed.length} email${changed.length === 1 ? '' : 's'}`
        return {
          result: { change, changed: changed.length },
          summary: `Changed ${count} (${change})`,
          payload: { emails: changed },
        }
      })
    },
  })
}

const createTaskTool = ({ contracts, tasks, journal, privacy, zoneOf }: ToolDeps): Tool => {
  const Restored = Type.Object({
    tasks: Type.Array(Type.Object({ ...ChangedItem, before: fieldsOf<TaskChange>() })),
    deleted: Type.Array(DeletedTask),
  })
  const record = journal.define('task', 'assistant.task_bulk', Restored, async (left, _tx, userId) => {
    await forEachItem(left.tasks, async (one) => {
      await unlessChanged('task', one, (etag) => tasks.change(userId, one.id, one.before, etag))
    })
    await forEachItem(left.deleted, async (task) => {
      await restoreTask(tasks, userId, task)
    })
  })

  const find = ({ query, ...filters }: TaskFilters, use: ToolUse) => {
    const search = { ...filters, ...(query !== undefined && { q: query }), limit: PAGE }
    return readPages(
      async (cursor) => {
        const { tasks: items, nextCursor } = await tasks.list(use.userId, { ...search, ...cursor })
        return { items, nextCursor }
      },
      async (items) => (await privacy.filter('task', items, use)).visible,
    )
  }

  const findGiven = async (ids: readonly number[], use: ToolUse) => {
    const existing = await getExisting(ids, (id) => tasks.get(use.userId, id))
    return { found: (await privacy.filter('task', existing, use)).visible, more: false }
  }

  return defineTool(contracts.change_tasks, {
    async propose({ change, dueAt, ids, status = 'open', ...filters }, use) {
      if (change === 'move' && dueAt === undefined) throw invalidField('dueAt', 'is required')
      const { found, more } = ids ? await findGiven(ids, use) : await find({ ...filters, status }, use)
      if (found.length === 0) throw conflict('No task matches. Nothing is to be changed.')
      for (const { id } of found) await tasks.requireEditor(use.userId, id)
      const count = { count: found.length, more }
      const examples = found.slice(0, MAX_EXAMPLES).map(({ title }) => truncate(title))
      const due = formatDue(dueAt, await zoneOf(use.userId), use.language)
      const summary = getProposalTexts(use.language).changeTasks(change, count, examples, due)
      return {
        summary,
        about: null,
        input: { change, ...(dueAt !== undefined && { dueAt }), ids: found.map(({ id }) => id) },
      }
    },
    async run({ change, dueAt, ids = [] }, { userId }) {
      return record(userId, async () => {
        const changed: { id: number; version: number; before: TaskChange }[] = []
        const deleted: DeletedTask[] = []
        await forEachItem(ids, async (id) => {
          const task = await unlessGone(tasks.get(userId, id))
          if (!task) return
          if (change === 'delete') {
            deleted.push(await deleteTask(tasks, userId, id))
            return
          }
          const input: TaskChange = change === 'complete' ? { status: 'done' } : { dueAt: dueAt as string }
          const { version } = await tasks.change(userId, id, input, undefined)
          if (version === task.version) return
          const before = change === 'complete' ? { status: task.status } : pickDue(task)
          changed.push({ id, version, before })
        })
        const count = changed.length + deleted.length
        const verb = { complete: 'Completed', delete: 'Deleted', move: 'Moved' }[change]
        return {
          result: { change, changed: count },
          summary: `${verb} ${count} task${count === 1 ? '' : 's'}`,
          payload: { tasks: changed, deleted },
        }
      })
    },
  })
}

/** Tools that change many items with one confirmation and one undo. */
export const createBulkTools = (deps: ToolDeps): Tool[] => [createEmailTool(deps), createTaskTool(deps)]
