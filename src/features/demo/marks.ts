import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import type { Db } from '../../database/db.ts'
import type { NumberIdTable } from '../../platform/portable/references.ts'

/** The tables whose rows are marked. An import translates the ids of these marks. */
export const MARKED_TABLES = {
  calendar: 'calendars',
  email: 'emails',
  event: 'events',
  task: 'tasks',
  task_list: 'task_lists',
  stream: 'streams',
  milestone: 'milestones',
} as const satisfies Record<string, NumberIdTable>

/** The kind of the mark of the sample account itself. */
export const ACCOUNT_MARK = 'user'
/** An export does not contain these marks: the importing account is no sample, and notifications get new ids. */
export const LOCAL_MARKS = [ACCOUNT_MARK, 'notification'] as const

export type MarkKind = keyof typeof MARKED_TABLES | (typeof LOCAL_MARKS)[number] | 'messages-synced'

interface Mark {
  kind: string
  reference: string
}

/** The marked rows of an account, which are being removed. */
export class MarkedSample {
  readonly tx: Db
  readonly userId: number
  /** Whether the account is deleted with its sample. */
  readonly isLeaving: boolean
  private readonly marks: readonly Mark[]

  constructor(tx: Db, given: { userId: number; isLeaving: boolean; marks: readonly Mark[] }) {
    this.tx = tx
    this.userId = given.userId
    this.isLeaving = given.isLeaving
    this.marks = given.marks
  }

  referencesOf(kind: MarkKind): string[] {
    return this.marks.flatMap((mark) => (mark.kind === kind ? [mark.reference] : []))
  }

  idsOf(kind: MarkKind): number[] {
    return this.referencesOf(kind).map(Number)
  }

  /** Returns the ids of the marked rows that still exist. */
  async findIds(table: 'calendars' | 'events', kind: MarkKind): Promise<number[]> {
    const ids = this.idsOf(kind)
    if (ids.length === 0) return []
    const rows = await this.tx
      .selectFrom(table)
      .select('id')
      .where('userId', '=', this.userId)
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id }) => id)
  }

  async deleteRows(
    table: 'milestones' | 'notifications' | 'streams' | 'tasks',
    kind: MarkKind,
  ): Promise<void> {
    const ids = this.idsOf(kind)
    if (ids.length > 0)
      await this.tx.deleteFrom(table).where('userId', '=', this.userId).where('id', 'in', ids).execute()
  }
}

export const listMarks = (tx: Db, userId: number): Promise<Mark[]> =>
  tx.selectFrom('samples').select(['kind', 'reference']).where('userId', '=', userId).execute()

export const deleteMarks = async (tx: Db, userId: number): Promise<void> => {
  await tx.deleteFrom('samples').where('userId', '=', userId).execute()
}

export const listSampleAccounts = async (tx: Db): Promise<number[]> => {
  const rows = await tx
    .selectFrom('samples')
    .select('userId')
    .where('kind', '=', ACCOUNT_MARK)
    .modifyEnd(ALL_ACCOUNTS)
    .execute()
  return rows.map(({ userId }) => userId)
}
