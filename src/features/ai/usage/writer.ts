import { AsyncLocalStorage } from 'node:async_hooks'
import type { Insertable } from 'kysely'
import type { Db } from '../../../database/db.ts'
import type { AiRequestRow } from '../../../database/tables/ai.ts'
import { inTransaction, isInTransaction } from '../../../database/transaction.ts'
import type { Logger } from '../../../platform/log.ts'
import { addToDay, insertRequests } from './store.ts'

type Row = Insertable<AiRequestRow>

/** Well below what either database takes in one statement. */
const AT_ONCE = 500
/** What is used within this goes into one transaction: while many ask, each commit of its own would cost more than the rest. */
const TOGETHER_MS = 25

/** One row for each day, model and token. */
const totalsOf = (rows: readonly Row[]) => {
  const groups = Map.groupBy(rows, ({ day, model, tokenId }) => JSON.stringify([day, model, tokenId ?? '']))
  return [...groups.values()].map((some) => {
    const { day, model, tokenId } = some[0] as Row
    const sum = (value: (row: Row) => number): number => some.reduce((total, row) => total + value(row), 0)
    return {
      ...{ day, model, tokenId: tokenId ?? '', requests: some.length },
      inputTokens: sum((row) => row.inputTokens),
      outputTokens: sum((row) => row.outputTokens),
      costNano: sum((row) => row.costNano ?? 0),
      unpriced: sum((row) => (row.costNano === null ? 1 : 0)),
    }
  })
}

/**
 * Writes down what was used without keeping the answer waiting: what comes in meanwhile goes together into the next
 * transaction. A process that is killed loses what was used in its last instant; one that ends writes it down.
 */
export const createUsageWriter = ({ db, log }: { db: Db; log: Logger }) => {
  const waiting: Row[] = []
  /** What was spent was spent, whatever becomes of a transaction that it was asked in. */
  const outside = AsyncLocalStorage.snapshot()
  let writing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const save = (rows: readonly Row[]): Promise<void> =>
    inTransaction(db, async (tx) => {
      await insertRequests(tx, rows)
      for (const total of totalsOf(rows)) await addToDay(tx, total)
    })

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const rows = waiting.splice(0, AT_ONCE)
      await save(rows).catch((error: unknown) => {
        log.error({ err: error, requests: rows.length }, 'what AI requests used could not be written down')
      })
    }
    writing = undefined
  }

  const begin = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) writing ??= outside(drain)
  }

  return {
    write(row: Row): void {
      waiting.push(row)
      if (!writing) timer ??= setTimeout(begin, TOGETHER_MS)
    },
    /** Who holds a transaction does not wait for another to end: they would wait for each other. */
    async settled(): Promise<void> {
      if (isInTransaction()) return
      begin()
      await writing
    },
  }
}
