import type { Db } from '../../../database/db.ts'
import { inTransaction } from '../../../database/transaction.ts'
import { type Caller, tokenIdOf, userIdOf } from '../../../platform/access/caller.ts'
import type { Changes } from '../../../platform/changes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError, conflict, forbidden, notFound } from '../../../platform/errors.ts'
import { pageOf, readCursor } from '../../../platform/http/cursor.ts'
import { requireMatch } from '../../../platform/http/etag.ts'
import type { PageRequest } from '../../../platform/http/shapes.ts'
import { orderedId, type Random } from '../../../platform/random.ts'
import type { Registry } from '../tools/registry.ts'
import type { About, Tool, ToolUse } from '../tools/tool.ts'
import {
  deleteWaitingBefore,
  expireWaiting,
  findWaiting,
  insertWaiting,
  listWaiting,
  lockWaiting,
  settleWaiting,
  type WaitingRecord,
} from './store.ts'

const DAY_MS = 86_400_000
const KEPT_DAYS = 30

const viewOf = (row: WaitingRecord, now: string) => ({
  ...{
    id: row.id,
    tool: row.tool,
    input: JSON.parse(row.input) as Record<string, unknown>,
    summary: row.summary,
  },
  status: row.status === 'pending' && row.expiresAt <= now ? ('expired' as const) : row.status,
  ...{ source: row.source, conversationId: row.conversationId, error: row.error, undoId: row.journalId },
  result: row.result === null ? null : (JSON.parse(row.result) as unknown),
  ...{ createdAt: row.createdAt, expiresAt: row.expiresAt, decidedAt: row.decidedAt, version: row.version },
})

/** Errors that trying again will not mend. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && !['upstream', 'unavailable', 'rate_limited'].includes(error.kind)

export type Waiting = ReturnType<typeof createWaiting>

/** What the assistant wants to do and may not do by itself: it waits here for a person, for a day. */
export const createWaiting = (deps: {
  db: Db
  clock: Clock
  random: Random
  changes: Changes
  registry: Registry
}) => {
  const { db, clock, random, changes, registry } = deps
  const now = (): string => clock.now().toISOString()

  const propose = async (tool: Tool, input: unknown, use: ToolUse) => {
    if (!tool.propose) throw new Error(`${tool.name} needs no confirmation.`)
    return tool.propose(input, use)
  }

  /** Calls without a credential act for the first account, so the owner decides on their actions. */
  const requireOwnAction = ({ userId }: WaitingRecord, caller: Caller): void => {
    if (caller.kind !== 'session')
      throw forbidden('Only a person who is signed in can confirm or edit an action.')
    if (userId === null ? !caller.isOwner : userId !== caller.userId)
      throw forbidden('This action belongs to another account. Sign in with that account to decide on it.')
  }

  const lock = async (tx: Db, id: string, ifMatch: string | undefined): Promise<WaitingRecord> => {
    const row = await lockWaiting(tx, id)
    if (!row) throw notFound('action')
    if (row.status !== 'pending') throw conflict(`This action is no longer waiting: it is ${row.status}.`)
    if (row.expiresAt <= now()) throw conflict('This action has waited for too long: ask for it again.')
    requireMatch(ifMatch, row)
    return row
  }

  /** What is acted on must be what was shown when it was asked for. */
  const requireUnchanged = (row: WaitingRecord, about: About | null): void => {
    const seen = row.about === null ? null : (JSON.parse(row.about) as About)
    if (seen?.id !== about?.id || seen?.version !== about?.version)
      throw conflict('What this is about has been changed since: look at it, and ask for it again.')
  }

  const byPerson = (caller: Caller): ToolUse => ({ caller, leaves: false, isConfirmed: true })

  /** Rewrites what will be done; the person has seen it, for they wrote it. */
  const rewrite = async (
    tx: Db,
    row: WaitingRecord,
    given: unknown,
    caller: Caller,
  ): Promise<WaitingRecord> => {
    const tool = registry.get(row.tool, caller)
    const input = registry.check(tool, given)
    const use = { ...byPerson(caller), language: row.language }
    const { summary, about } = await propose(tool, input, use)
    const change = { input: JSON.stringify(input), summary, about: about && JSON.stringify(about) }
    return (await settleWaiting(tx, row.id, change)) as WaitingRecord
  }

  const fail = (id: string, error: AppError): Promise<unknown> =>
    settleWaiting(db, id, { status: 'failed', error: error.message, decidedAt: now() })

  return {
    async queue(
      { tool, input }: { tool: Tool; input: unknown },
      from: { use: ToolUse; source: WaitingRecord['source']; conversationId: string | null },
    ) {
      const { summary, about } = await propose(tool, input, from.use)
      const at = clock.now()
      const proposed = {
        ...{ id: orderedId(random, at), conversationId: from.conversationId, source: from.source },
        ...{ tokenId: tokenIdOf(from.use.caller), userId: userIdOf(from.use.caller) },
        ...{ tool: tool.name, input: JSON.stringify(input), summary },
        ...{
          language: from.use.language ?? 'en',
          about: about && JSON.stringify(about),
          status: 'pending',
          result: null,
          error: null,
          journalId: null,
        },
        ...{ version: 1, createdAt: at.toISOString(), decidedAt: null },
        expiresAt: new Date(at.getTime() + DAY_MS).toISOString(),
      } satisfies Parameters<typeof insertWaiting>[1]
      const row = await inTransaction(db, async (tx) => {
        const { id, tool: name, expiresAt } = proposed
        await changes.record(tx, {
          type: 'action.waiting',
          subject: id,
          data: { id, tool: name, summary, expiresAt },
        })
        return insertWaiting(tx, proposed)
      })
      return viewOf(row, at.toISOString())
    },

    async list({ limit, cursor, status }: PageRequest & { status?: WaitingRecord['status'] | undefined }) {
      await expireWaiting(db, now())
      const below = readCursor(cursor, 'text')?.[0]
      const rows = await listWaiting(db, { status, limit, below })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { actions: page.map((row) => viewOf(row, now())), nextCursor }
    },

    async get(id: string) {
      const row = await findWaiting(db, id)
      if (!row) throw notFound('action')
      return viewOf(row, now())
    },

    edit: (id: string, input: unknown, caller: Caller, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const row = await lock(tx, id, ifMatch)
        requireOwnAction(row, caller)
        return viewOf(await rewrite(tx, row, input, caller), now())
      }),

    /** Runs it, once: the row says that it is done in the transaction that does it. */
    async confirm(id: string, edited: unknown, caller: Caller, ifMatch: string | undefined) {
      let isTried = false
      try {
        return await inTransaction(db, async (tx) => {
          const shown = await lock(tx, id, ifMatch)
          requireOwnAction(shown, caller)
          isTried = edited === undefined
          const row = edited === undefined ? shown : await rewrite(tx, shown, edited, caller)
          const tool = registry.get(row.tool, caller)
          const input = registry.check(tool, JSON.parse(row.input))
          const { about } = await propose(tool, input, byPerson(caller))
          requireUnchanged(row, about)
          const { result, undoId } = await tool.run(input, byPerson(caller))
          const change = {
            status: 'done',
            result: JSON.stringify(result),
            journalId: undoId ?? null,
          } as const
          return viewOf(
            (await settleWaiting(tx, id, { ...change, decidedAt: now() })) as WaitingRecord,
            now(),
          )
        })
      } catch (error) {
        // A wrong edit is the caller's to mend: the action goes on waiting.
        if (isTried && isFinal(error)) await fail(id, error)
        throw error
      }
    },

    reject: (id: string, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        await lock(tx, id, ifMatch)
        const change = { status: 'rejected', decidedAt: now() } as const
        return viewOf((await settleWaiting(tx, id, change)) as WaitingRecord, now())
      }),

    async prune(): Promise<void> {
      await expireWaiting(db, now())
      await deleteWaitingBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString())
    },
  }
}
