import { sql } from 'kysely'
import { isId, type NumberIdTable } from '../../platform/portable/references.ts'
import { own, portable, text } from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { LOCAL_MARKS, MARKED_TABLES } from './marks.ts'

const marks = portable('samples', {
  file: 'sample.jsonl',
  of: (userId) => [sql<boolean>`${sql.ref('userId')} = ${userId} and kind not in (${sql.join(LOCAL_MARKS)})`],
  columns: { userId: own, kind: text, reference: text },
  translate(row, ids) {
    const table = (MARKED_TABLES as Readonly<Record<string, NumberIdTable>>)[row.kind]
    if (!table) return row
    const marked = Number(row.reference)
    return isId(marked) ? { ...row, reference: String(ids.number(table, marked)) } : undefined
  },
})

/** The marks of sample rows, so that an account can remove the sample that it imported. */
export const samplePart: DataPart = { folder: 'account', tables: [marks], others: [] }
