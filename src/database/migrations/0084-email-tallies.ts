import { type Kysely, sql } from 'kysely'
import type { Engine } from '../database.ts'

interface Counted {
  name: string
  /** Updates of other columns do not change the tally. */
  columns: string
  /** Each key has its own tally. `email` is `emails`, `old` or `new`. */
  key: (email: string) => string
  condition: (email: string) => string
}

const userKey = (email: string): string => `cast(${email}."userId" as text)`

const COUNTED: readonly Counted[] = [
  {
    name: 'unread-emails',
    columns: 'read, folder',
    key: userKey,
    condition: (email) =>
      `${email}.read = 0 and ${email}.folder in ('inbox', 'archive', 'other', 'sent', 'drafts')`,
  },
  {
    name: 'urgent-emails',
    columns: 'urgency',
    key: userKey,
    condition: (email) => `coalesce(${email}.urgency, '') in ('high', 'critical')`,
  },
  {
    name: 'unread-in-folder',
    columns: 'read, "folderId", "snoozedUntil"',
    key: (email) => `${userKey(email)} || '/' || cast(${email}."folderId" as text)`,
    condition: (email) =>
      `${email}.read = 0 and ${email}."folderId" is not null and ${email}."snoozedUntil" is null`,
  },
]

/** Keeps the tallies in the transaction of each change, whoever writes it. */
const createTriggers = async (
  db: Kysely<unknown>,
  engine: Engine,
  { name, columns, key, condition }: Counted,
): Promise<void> => {
  const [before, after] = [condition('old'), condition('new')]
  const isSame = `${key('old')} = ${key('new')}`
  const changed = `update of ${columns}`
  for (const { suffix, event, when, email, amount } of [
    { suffix: 'added', event: 'insert', when: after, email: 'new', amount: 1 },
    { suffix: 'removed', event: 'delete', when: before, email: 'old', amount: -1 },
    {
      suffix: 'entered',
      event: changed,
      when: `${after} and not (${before} and ${isSame})`,
      email: 'new',
      amount: 1,
    },
    {
      suffix: 'left',
      event: changed,
      when: `${before} and not (${after} and ${isSame})`,
      email: 'old',
      amount: -1,
    },
  ]) {
    const trigger = sql.ref(`${name.replaceAll('-', '_')}_${suffix}`)
    const change = sql.raw(
      `insert into tallies (name, amount) values ('${name}/' || ${key(email)}, ${amount})`,
    )
    const header = sql`create trigger ${trigger} after ${sql.raw(event)} on emails for each row when (${sql.raw(when)})`
    if (engine === 'sqlite') {
      await sql`${header} begin ${change}; end`.execute(db)
      continue
    }
    // A restore drops the tables, and the functions stay.
    await sql`create or replace function ${trigger}() returns trigger language plpgsql as $$
      begin ${change}; return null; end $$`.execute(db)
    await sql`${header} execute function ${trigger}()`.execute(db)
  }
}

/** Counts unread and urgent emails as they change, so that statistics do not read all of them. */
export const emailTallies = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  for (const counted of COUNTED) {
    await createTriggers(db, engine, counted)
    await sql`insert into tallies (name, amount)
      select ${sql.lit(`${counted.name}/`)} || ${sql.raw(counted.key('emails'))}, count(*)
      from emails where ${sql.raw(counted.condition('emails'))} group by 1`.execute(db)
  }
}
