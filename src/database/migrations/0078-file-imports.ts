import type { Kysely } from 'kysely'
import { withIdentity } from '../columns.ts'
import type { Engine } from '../database.ts'

/** Imports of files from other programs: the uploaded file in pieces, the created items and the problems. */
export const fileImports = async (db: Kysely<unknown>, engine: Engine): Promise<void> => {
  await withIdentity(engine, db.schema.createTable('file_imports'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('filename', 'text', (column) => column.notNull())
    .addColumn('format', 'text')
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('analysis', 'text')
    .addColumn('counts', 'text', (column) => column.notNull())
    .addColumn('doneRecords', 'bigint', (column) => column.notNull())
    .addColumn('problemCount', 'bigint', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('createdAt', 'text', (column) => column.notNull())
    .addColumn('updatedAt', 'text', (column) => column.notNull())
    .addColumn('finishedAt', 'text')
    .execute()
  await db.schema.createIndex('file_imports_user').on('file_imports').columns(['userId', 'id']).execute()
  await db.schema
    .createIndex('file_imports_state')
    .on('file_imports')
    .columns(['state', 'updatedAt'])
    .execute()
  await db.schema
    .createTable('file_import_pieces')
    .addColumn('importId', 'bigint', (column) =>
      column.notNull().references('file_imports.id').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('blob', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('file_import_pieces_key', ['importId', 'number'])
    .execute()
  await db.schema.createIndex('file_import_pieces_blob').on('file_import_pieces').column('blob').execute()
  await db.schema.createIndex('file_import_pieces_user').on('file_import_pieces').column('userId').execute()
  await withIdentity(engine, db.schema.createTable('file_import_items'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('importId', 'bigint', (column) =>
      column.notNull().references('file_imports.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('itemId', 'bigint')
    .addColumn('payload', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('file_import_items_import')
    .on('file_import_items')
    .columns(['importId', 'id'])
    .execute()
  await db.schema
    .createIndex('file_import_items_key')
    .on('file_import_items')
    .columns(['userId', 'kind', 'key'])
    .execute()
  await withIdentity(engine, db.schema.createTable('file_import_problems'))
    .addColumn('userId', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('importId', 'bigint', (column) =>
      column.notNull().references('file_imports.id').onDelete('cascade'),
    )
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('file', 'text', (column) => column.notNull())
    .addColumn('line', 'bigint')
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('file_import_problems_import')
    .on('file_import_problems')
    .columns(['importId', 'id'])
    .execute()
  await db.schema
    .createIndex('file_import_problems_user')
    .on('file_import_problems')
    .column('userId')
    .execute()
}
