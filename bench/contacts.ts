import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteFile } from '../src/database/database.ts'
import { compare } from './beside.ts'
import { fillContactDatabase } from './contact-rows.ts'
import { freePort, SERVE, startServer } from './processes.ts'

const CONTACTS = 20_000

/** Suggestions for three typed letters, for a whole word, and for a prefix that every contact has. */
const PREFIXES: [title: string, q: string, aim: number][] = [
  ['a word of 20 contacts', 'fam77', 0.5],
  ['three letters, 220 contacts', 'giv7', 0.6],
  ['a prefix of all contacts', 'person', 0.8],
]

export const benchContacts = async (): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'factotum-bench-'))
  await fillContactDatabase(dataDir, CONTACTS)
  const ours = await startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
  const environment = { DATABASE_FILE: sqliteFile(dataDir) }
  const plain = await startServer(['bench/plain-contacts.ts'], environment, freePort(), '/ready')
  try {
    for (const [title, q, aim] of PREFIXES)
      await compare(
        title,
        { server: ours, path: `/api/contacts/suggest?q=${q}` },
        { server: plain, path: `/suggest?q=${q}` },
        aim,
      )
  } finally {
    await Promise.all([ours.stop(), plain.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}
