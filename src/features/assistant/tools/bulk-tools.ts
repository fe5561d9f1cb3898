import { setImmediate } from 'node:timers/promises'
import Type from 'typebox'
import type { Folder } from '../../../database/tables/mail.ts'
import { isPrivate, WITHOUT_PRIVATE } from '../../../nlu/mail/facts.ts'
import { userIdOf } from '../../../platform/access/caller.ts'
import { AppError, conflict, invalidField } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import type { Finding } from '../../mail/messages/email-queries.ts'
import type { Emails } from '../../mail/messages/emails.ts'
import type { EmailChange } from '../../mail/messages/schema.ts'
import type { NewTask, TaskChange } from '../../tasks/schema.ts'
import type { Tasks } from '../../tasks/tasks.ts'
import { MAX_BULK } from './contracts/contract.ts'
import type { ToolContracts } from './contracts.ts'
import type { Journal } from './journal.ts'
import {
  ChangedItem,
  defineTool,
  type EmailsChangeName,
  Fields,
  formatStart,
  getProposalTexts,
  MovedTo,
  type Privacy,
  pickValues,
  recreate,
  type Tool,
  type ToolUse,
  unlessChanged,
} from './tool.ts'

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

/** Returns undefined for an item that was deleted meanwhile. */
const unlessGone = async <T>(found: Promise<T>): Promise<T | undefined> => {
  try {
    return await found
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined
    throw error
  }
}

const EMAIL_CHANGES: Readonly<Record<Exclude<EmailsChangeName, 'tag' | 'move'>, EmailChange>> = {
  archive: { folder: 'archive' },
  trash: { folder: 'trash' },
  read: { read: true },
  unread: { read: false },
  star: { starred: true },
  unstar: { starred: false },
}

interface BulkToolDeps {
  contracts: ToolContracts
  emails: Pick<Emails, 'get' | 'change'>
  finding: Finding
  tasks: Tasks
  journal: Journal
  privacy: Privacy
  zoneOf: (userId: number) => Promise<string>
}

interface EmailsInput {
  query?: string
  folder?: 'inbox' | 'archive' | 'other' | 'junk' | 'trash' | 'sent'
  unread?: boolean
  ids?: number[]
}

const createEmailTool = ({ contracts, emails, finding, journal }: BulkToolDeps): Tool => {
  const record = journal.define(
    'email',
    'assistant.email_bulk',
    Type.Object({ emails: Type.Array(Type.Object({ ...ChangedItem, before: Fields, movedTo: MovedTo })) }),
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
  const find = async (userId: number, { query = '', folder, unread }: EmailsInput, sendsToModel: boolean) => {
    const q = `${query}${sendsToModel ? ` ${WITHOUT_PRIVATE}` : ''}`.trim()
    const found: { id: number; subject: string; tags: readonly string[] }[] = []
    let cursor: string | undefined
    do {
      const page = await finding.list(userId, {
        limit: PAGE,
        ...(q !== '' && { q }),
        ...(folder !== undefined && { folder }),
        ...(unread !== undefined && { unread }),
        ...(cursor !== undefined && { cursor }),
      })
      found.push(...page.emails.filter(({ tags }) => !sendsToModel || !isPrivate(tags)))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && found.length < MAX_BULK)
    return { found: found.slice(0, MAX_BULK), more: cursor !== undefined || found.length > MAX_BULK }
  }

  const findGiven = async (userId: number, ids: readonly number[], sendsToModel: boolean) => {
    const found: { id: number; subject: string; tags: readonly string[] }[] = []
    for (const id of new Set(ids)) {
      const email = await unlessGone(emails.get(userId, id))
      if (email && (!sendsToModel || !isPrivate(email.tags))) found.push(email)
    }
    return { found, more: false }
  }

  const toChange = (
    change: EmailsChangeName,
    tag: string,
    before: { tags: readonly string[] },
  ): EmailChange =>
    change === 'tag'
      ? { tags: [...new Set([...before.tags, tag])] }
      : EMAIL_CHANGES[change as keyof typeof EMAIL_CHANGES]

  return defineTool(contracts.change_emails, {
    async propose({ change, tag, ids, ...search }, use) {
      if (change === 'tag' && tag === undefined) throw invalidField('tag', 'is required')
      if (ids === undefined && (search.query ?? '').trim() === '' && search.folder === undefined)
        throw invalidField('query', 'or folder or ids is required')
      const userId = userIdOf(use.caller)
      const { found, more } = ids
        ? await findGiven(userId, ids, use.sendsToModel)
        : await find(userId, search, use.sendsToModel)
      if (found.length === 0) throw conflict('No email matches. Nothing is to be changed.')
      const examples = found.slice(0, MAX_EXAMPLES).map(({ subject }) => truncate(subject))
      const summary = getProposalTexts(use.language).changeEmails(
        change,
        { count: found.length, more },
        examples,
        tag ?? '',
      )
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
    async run({ change, tag = '', folder, ids = [] }, { caller }) {
      const userId = userIdOf(caller)
      return record(userId, async () => {
        const changed: { id: number; version: number; movedTo: Folder; before: Record<string, unknown> }[] =
          []
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

const createTaskTool = ({ contracts, tasks, journal, privacy, zoneOf }: BulkToolDeps): Tool => {
  const Restored = Type.Object({
    tasks: Type.Array(Type.Object({ ...ChangedItem, before: Fields })),
    deleted: Type.Array(Type.Object({ before: Fields, completedAt: Type.Optional(Type.String()) })),
  })
  const record = journal.define('task', 'assistant.task_bulk', Restored, async (left, _tx, userId) => {
    await forEachItem(left.tasks, async (one) => {
      await unlessChanged('task', one, (etag) => tasks.change(userId, one.id, one.before as TaskChange, etag))
    })
    await forEachItem(left.deleted, async ({ before, completedAt }) => {
      await recreate(before, (fields) => tasks.restore(userId, fields as NewTask, completedAt))
    })
  })
  const recreatedFields = Object.keys(tasks.fields).filter((name) => name !== 'dueDay')

  type Filters = { status?: 'open' | 'overdue' | 'done'; tag?: string; listId?: number; query?: string }

  const find = async (userId: number, { query, ...filters }: Filters, use: ToolUse) => {
    const found: Awaited<ReturnType<Tasks['list']>>['tasks'] = []
    let cursor: string | undefined
    do {
      const page = await tasks.list(userId, {
        ...filters,
        limit: PAGE,
        ...(query !== undefined && { q: query }),
        ...(cursor !== undefined && { cursor }),
      })
      found.push(...page.tasks)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined && found.length < MAX_BULK)
    const hidden = use.sendsToModel ? await privacy.tasks(userId, found) : new Set<number>()
    const visible = found.filter(({ id }) => !hidden.has(id))
    return { found: visible.slice(0, MAX_BULK), more: cursor !== undefined || visible.length > MAX_BULK }
  }

  const findGiven = async (userId: number, ids: readonly number[], use: ToolUse) => {
    const found = []
    for (const id of new Set(ids)) {
      const task = await unlessGone(tasks.get(userId, id))
      if (task) found.push(task)
    }
    const hidden = use.sendsToModel ? await privacy.tasks(userId, found) : new Set<number>()
    return { found: found.filter(({ id }) => !hidden.has(id)), more: false }
  }

  /** Due days are restored as days, in any time zone. */
  const pickDue = (task: { dueAt: string | null; dueDay: string | null }): Record<string, unknown> =>
    task.dueDay === null ? { dueAt: task.dueAt, dueDay: null } : { dueAt: task.dueDay }

  return defineTool(contracts.change_tasks, {
    async propose({ change, dueAt, ids, status = 'open', ...filters }, use) {
      if (change === 'move' && dueAt === undefined) throw invalidField('dueAt', 'is required')
      const userId = userIdOf(use.caller)
      const { found, more } = ids
        ? await findGiven(userId, ids, use)
        : await find(userId, { ...filters, status }, use)
      if (found.length === 0) throw conflict('No task matches. Nothing is to be changed.')
      for (const { id } of found) await tasks.requireEditor(userId, id)
      const timezone = await zoneOf(userId)
      const due =
        dueAt === undefined
          ? ''
          : formatStart(
              { start: dueAt, allDay: dueAt.length === 10, timezone: 'UTC' },
              timezone,
              use.language,
            )
      const summary = getProposalTexts(use.language).changeTasks(
        change,
        { count: found.length, more },
        found.slice(0, MAX_EXAMPLES).map(({ title }) => truncate(title)),
        due,
      )
      return {
        summary,
        about: null,
        input: { change, ...(dueAt !== undefined && { dueAt }), ids: found.map(({ id }) => id) },
      }
    },
    async run({ change, dueAt, ids = [] }, { caller }) {
      const userId = userIdOf(caller)
      return record(userId, async () => {
        const changed: { id: number; version: number; before: Record<string, unknown> }[] = []
        const deleted: { before: Record<string, unknown>; completedAt?: string }[] = []
        await forEachItem(ids, async (id) => {
          const task = await unlessGone(tasks.get(userId, id))
          if (!task) return
          if (change === 'delete') {
            await tasks.remove(userId, id, etagOf(task))
            const before = { ...pickValues(task, recreatedFields), ...pickDue(task) }
            deleted.push({ before, ...(task.completedAt !== null && { completedAt: task.completedAt }) })
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
export const createBulkTools = (deps: BulkToolDeps): Tool[] => [createEmailTool(deps), createTaskTool(deps)]
