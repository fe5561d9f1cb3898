import { Readable } from 'node:stream'
import type { Db } from '../../database/db.ts'
import { everyRow } from '../../database/every-row.ts'
import type { DataPart } from '../settings/data/parts.ts'
import type { ActionRecord } from './store.ts'

async function* lines(view: Db): AsyncGenerator<string> {
  const rows = everyRow<ActionRecord>((after, limit) =>
    view
      .selectFrom('actions')
      .selectAll()
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const { payload: _, ...action } of rows) yield `${JSON.stringify(action)}\n`
}

export const actionsPart: DataPart = {
  async addToExport(zip, view) {
    zip.addReadStream(Readable.from(lines(view)), 'actions.jsonl')
  },
  async wipe(tx) {
    await tx.deleteFrom('actions').execute()
  },
  async fillSample() {},
  async removeSample() {},
}
