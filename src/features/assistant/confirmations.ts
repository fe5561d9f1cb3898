import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Caller, type SessionCaller, tokenIdOf, userIdOf } from '../../platform/access/caller.ts'
import type { Changes } from '../../platform/changes.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, forbidden, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Language, LanguageOf } from '../../platform/language.ts'
import { orderedId, type Random } from '../../platform/random.ts'
import {
  type ActionRecord,
  deleteActionsBefore,
  expireActions,
  findAction,
  findSessionStart,
  insertAction,
  listActions,
  lockAction,
  updatePendingAction,
} from './repository.ts'
import type { Registry } from './tools/registry.ts'
import type { About, Tool, ToolProposal, ToolUse } from './tools/tool.ts'

const DAY_MS = 86_400_000
const KEPT_DAYS = 30

const viewOf = (row: ActionRecord, now: string) => ({
  id: row.id,
  tool: row.tool,
  input: JSON.parse(row.input) as Record<string, unknown>,
  summary: row.summary,
  status: row.status === 'pending' && row.expiresAt <= now ? ('expired' as const) : row.status,
  source: row.source,
  conversationId: row.conversationId,
  error: row.error,
  undoId: row.journalId,
  result: row.result === null ? null : (JSON.parse(row.result) as unknown),
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  decidedAt: row.decidedAt,
  version: row.version,
})

/** Tells whether a retry cannot succeed. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && !['upstream', 'unavailable', 'rate_limited'].includes(error.kind)

const propose = async (tool: Tool, input: unknown, use: ToolUse): Promise<ToolProposal> => {
  if (tool.effect === 'read') throw new Error(`${tool.name} needs no confirmation.`)
  return tool.propose(input, use)
}

/** A word alone never reaches other people. */
const isConfirmedByWord = (tool: Tool, { reachesOthers = false }: ToolProposal): boolean =>
  !reachesOthers && tool.effect === 'confirm' && tool.confirmedBy === 'word'

const requireSession: (caller: Caller) => asserts caller is SessionCaller = (caller) => {
  if (caller.kind !== 'session')
    throw forbidden('Only a person who is signed in can confirm or edit an action.')
}

/**
 * A program without a session could register the first account and confirm its own action with the new session.
 * Rows of earlier versions do not say who proposed them.
 */
const requireOlderSession = async (tx: Db, row: ActionRecord, caller: SessionCaller): Promise<void> => {
  if (row.proposedBy === 'session' || row.tokenId !== null) return
  const startedAt = await findSessionStart(tx, caller.userId, caller.sessionId)
  if (startedAt === undefined || startedAt >= row.createdAt)
    throw forbidden(
      'This action was proposed without signing in, before this session began. Reject it, and ask for it again while you are signed in.',
    )
}

/** The item must still have the version that the person saw when the action was proposed. */
const requireUnchanged = (row: ActionRecord, about: About | null): void => {
  const seen = row.about === null ? null : (JSON.parse(row.about) as About)
  if (seen?.id !== about?.id || seen?.version !== about?.version)
    throw conflict(
      'The item has changed since this action was proposed. Review the item, then ask the assistant again.',
    )
}

const confirmedBy = (caller: Caller): ToolUse => ({
  caller,
  userId: userIdOf(caller),
  sendsToModel: false,
  isConfirmed: true,
})

interface ProposedCall {
  tool: Tool
  input: unknown
}

interface ActionOrigin {
  use: ToolUse
  source: ActionRecord['source']
  conversationId: string | null
}

const toPendingRow = (
  { tool, input }: ProposedCall,
  { summary, about, input: resolved = input }: ToolProposal,
  from: ActionOrigin & { use: { language: Language } },
  at: Date,
  id: string,
) =>
  ({
    id,
    conversationId: from.conversationId,
    source: from.source,
    tokenId: tokenIdOf(from.use.caller),
    proposedBy: from.use.caller.kind === 'session' ? 'session' : 'other',
    userId: from.use.userId,
    tool: tool.name,
    input: JSON.stringify(resolved),
    summary,
    language: from.use.language,
    about: about && JSON.stringify(about),
    status: 'pending',
    result: null,
    error: null,
    journalId: null,
    version: 1,
    createdAt: at.toISOString(),
    decidedAt: null,
    expiresAt: new Date(at.getTime() + DAY_MS).toISOString(),
  }) satisfies Parameters<typeof insertAction>[1]

export type PendingActions = ReturnType<typeof createPendingActions>

/** Manages actions that need the confirmation of a person. They expire after one day. */
export const createPendingActions = (deps: {
  db: Db
  clock: Clock
  random: Random
  changes: Changes
  registry: Registry
  languageOf: LanguageOf
}) => {
  const { db, clock, random, changes, registry, languageOf } = deps
  const now = (): string => clock.now().toISOString()
  const view = (row: ActionRecord) => viewOf(row, now())

  /** Changes an action that this transaction has locked. */
  const update = async (
    tx: Db,
    { userId, id }: ActionRecord,
    change: Parameters<typeof updatePendingAction>[3],
  ): Promise<ActionRecord> => {
    const updated = await updatePendingAction(tx, userId, id, change)
    if (!updated) throw notFound('action')
    return updated
  }

  const lock = async (
    tx: Db,
    caller: Caller,
    id: string,
    ifMatch: string | undefined,
  ): Promise<ActionRecord> => {
    const row = await lockAction(tx, userIdOf(caller), id)
    if (!row) throw notFound('action')
    if (row.status !== 'pending')
      throw conflict(`This action can no longer be confirmed: its status is ${row.status}.`)
    if (row.expiresAt <= now()) throw conflict('This action has expired. Ask the assistant for it again.')
    requireMatch(ifMatch, row)
    return row
  }

  /** Replaces the input. No further confirmation is needed, because the person wrote the new input. */
  const rewrite = async (
    tx: Db,
    row: ActionRecord,
    given: unknown,
    caller: Caller,
  ): Promise<ActionRecord> => {
    const tool = registry.get(row.tool, caller)
    const input = registry.check(tool, given)
    const use = { ...confirmedBy(caller), language: row.language }
    const { summary, about, input: resolved = input } = await propose(tool, input, use)
    const change = { input: JSON.stringify(resolved), summary, about: about && JSON.stringify(about) }
    return update(tx, row, change)
  }

  const fail = (caller: Caller, id: string, error: AppError): Promise<unknown> =>
    updatePendingAction(db, userIdOf(caller), id, {
      status: 'failed',
      error: error.message,
      decidedAt: now(),
    })

  return {
    async queue({ tool, input }: ProposedCall, origin: ActionOrigin) {
      // A client proposes in no language. The person reads the proposal in their own.
      const language = origin.use.language ?? (await languageOf(origin.use.userId))
      const from = { ...origin, use: { ...origin.use, language } }
      const at = clock.now()
      const proposal = await propose(tool, input, from.use)
      const proposed = toPendingRow({ tool, input }, proposal, from, at, orderedId(random, at))
      const row = await inTransaction(db, async (tx) => {
        const { id, conversationId, tool: name, summary, expiresAt } = proposed
        await changes.record(tx, {
          userId: proposed.userId,
          type: 'action.waiting',
          subject: id,
          data: { id, conversationId, tool: name, summary, expiresAt },
        })
        return insertAction(tx, proposed)
      })
      const confirmedBy = isConfirmedByWord(tool, proposal) ? ('word' as const) : ('button' as const)
      return { ...viewOf(row, at.toISOString()), confirmedBy }
    },

    async list(
      userId: number,
      { limit, cursor, status }: PageRequest & { status?: ActionRecord['status'] | undefined },
    ) {
      await expireActions(db, now())
      const below = readCursor(cursor, 'text')?.[0]
      const rows = await listActions(db, userId, { status, limit, below })
      const { page, nextCursor } = pageOf(rows, limit, ({ id }) => [id])
      return { actions: page.map(view), nextCursor }
    },

    async get(userId: number, id: string) {
      const row = await findAction(db, userId, id)
      if (!row) throw notFound('action')
      return view(row)
    },

    edit: (id: string, input: unknown, caller: Caller, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        requireSession(caller)
        const row = await lock(tx, caller, id, ifMatch)
        return view(await rewrite(tx, row, input, caller))
      }),

    /** Runs the action once: one transaction runs the tool and sets the status. */
    async confirm(id: string, edited: unknown, caller: Caller, ifMatch: string | undefined) {
      let isTried = false
      try {
        return await inTransaction(db, async (tx) => {
          requireSession(caller)
          const locked = await lock(tx, caller, id, ifMatch)
          await requireOlderSession(tx, locked, caller)
          isTried = edited === undefined
          const row = edited === undefined ? locked : await rewrite(tx, locked, edited, caller)
          const tool = registry.get(row.tool, caller)
          const input = registry.check(tool, JSON.parse(row.input))
          const { about } = await propose(tool, input, confirmedBy(caller))
          requireUnchanged(row, about)
          const { result, undoId } = await tool.run(input, confirmedBy(caller))
          const done = await update(tx, row, {
            status: 'done',
            result: JSON.stringify(result),
            journalId: undoId ?? null,
            decidedAt: now(),
          })
          return view(done)
        })
      } catch (error) {
        // The caller can correct an invalid edit, so the action stays pending.
        if (isTried && isFinal(error)) await fail(caller, id, error)
        throw error
      }
    },

    reject: (id: string, caller: Caller, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const row = await lock(tx, caller, id, ifMatch)
        return view(await update(tx, row, { status: 'rejected', decidedAt: now() }))
      }),

    async prune(): Promise<void> {
      await expireActions(db, now())
      await deleteActionsBefore(db, new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString())
    },
  }
}
