import { sql } from 'kysely'
import type { Engine } from './database.ts'
import type { Db } from './db.ts'
import { migrate, migrationTables, readMigrationState } from './migrate.ts'
import { tableKeys } from './tables.ts'

/** Takes every table of ours away, as if the database had just been made. Part of the transaction. */
export const dropEverything = async (tx: Db, engine: Engine): Promise<void> => {
  const { at } = await readMigrationState({ db: tx, engine })
  if (at === null) return
  // An older schema may have tables that are no longer known here; the newest has exactly the known ones.
  await migrate({ db: tx, engine })
  if (engine === 'sqlite') {
    await sql`pragma defer_foreign_keys = on`.execute(tx)
    // One that speaks of a table which is gone already would keep its own from going.
    const { rows } = await sql<{
      name: string
    }>`select name from sqlite_master where type = 'trigger'`.execute(tx)
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(tx)
  }
  const children = Object.keys(tableKeys).reverse()
  for (const table of [...children, ...migrationTables]) await tx.schema.dropTable(table).ifExists().execute()
}
