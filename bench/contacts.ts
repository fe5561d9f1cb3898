import { sqliteFile } from '../src/database/database.ts'
import { compareSubject } from './beside.ts'
import { SUBJECTS } from './comparisons.ts'
import { fillContactDatabase } from './contact-rows.ts'
import { freePort, SERVE, startServer, withDirectories } from './processes.ts'
import type { Report } from './table.ts'

const CONTACTS = Number(process.env.CONTACTS ?? 20_000)

export const benchContacts = (report: Report): Promise<void> =>
  withDirectories(1, async ([dataDir]) => {
    await fillContactDatabase(dataDir, CONTACTS)
    const ours = await startServer(SERVE, { DATA_DIR: dataDir }, freePort(), '/api/health')
    try {
      await compareSubject(ours, SUBJECTS.contacts, { DATABASE_FILE: sqliteFile(dataDir) }, report)
    } finally {
      await ours.stop()
    }
  })
