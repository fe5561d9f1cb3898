import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { invalidField } from '../../platform/errors.ts'
import type { FeatureRoutes, Platform } from '../../platform/platform.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import type { ReaderPorts } from './formats/reader.ts'
import { FileImports } from './imports.ts'
import { importRoutes, uploadRoutes } from './routes.ts'
import { ImportRunner } from './runner.ts'
import type { ImportOptions } from './schema.ts'
import { ImportTargets, type TargetPorts } from './targets.ts'
import { UploadStore } from './upload-store.ts'

/** Imports that run at the same time in one process. Others wait, so that jobs of other kinds can run. */
const MAX_RUNNING = 2
const WAIT_MS = 5000
/** After a crash, another process continues an import when the lease has ended. */
const LEASE_SECONDS = 20

interface ImportsNeeds extends Omit<TargetPorts, 'readHead'>, Omit<ReaderPorts, 'workers'> {
  zoneOf: (userId: number) => Promise<string>
  hasMailAccount: (tx: Db, userId: number, id: string) => Promise<boolean>
  hasTaskList: (tx: Db, userId: number, id: number) => Promise<boolean>
  requireCalendar: (tx: Db, userId: number, id: number) => Promise<unknown>
  maxBytes: number
}

export const createImportsFeature = (platform: Platform, needs: ImportsNeeds) => {
  const { db, clock, jobs, workers } = platform
  const { zoneOf, hasMailAccount, hasTaskList, requireCalendar, maxBytes, ...ports } = needs
  const uploads = new UploadStore(platform)
  const targets = new ImportTargets(ports)
  const runner = new ImportRunner({
    ...platform,
    uploads,
    targets,
    ports: { ...ports, workers },
    zoneOf,
    maxBytes,
  })
  const checkTargets = async (tx: Db, userId: number, options: ImportOptions): Promise<void> => {
    const { mailAccountId, calendarId, taskListId } = options
    if (mailAccountId && !(await hasMailAccount(tx, userId, mailAccountId)))
      throw invalidField('mailAccountId', 'names a mail account that does not exist')
    if (taskListId && !(await hasTaskList(tx, userId, taskListId)))
      throw invalidField('taskListId', 'names a task list that does not exist')
    if (calendarId) await requireCalendar(tx, userId, calendarId)
  }
  const imports = new FileImports({ ...platform, uploads, runner, maxBytes, checkTargets })
  let running = 0
  jobs.define({
    name: imports.job,
    payload: Type.Object({
      userId: Type.Integer(),
      importId: Type.Integer(),
      isWatch: Type.Optional(Type.Boolean()),
    }),
    retries: imports.retries,
    leaseSeconds: LEASE_SECONDS,
    async run(payload, context) {
      const { userId, importId, isWatch = false } = payload
      if (isWatch && (await imports.isAttended(userId, importId))) {
        await imports.watch(db, { userId, id: importId })
        return
      }
      if (running >= MAX_RUNNING) {
        await jobs.enqueue(db, imports.job, payload, { runAt: new Date(clock.now().getTime() + WAIT_MS) })
        return
      }
      running++
      try {
        const { signal, attempt } = context
        await imports.work(userId, importId, {
          signal,
          isLastAttempt: attempt > imports.retries,
        })
      } finally {
        running--
      }
    },
  })
  const routes: FeatureRoutes[] = [
    { prefix: '/api/imports', plugin: uploadRoutes(imports), ownParsers: true },
    { prefix: '/api/imports', plugin: importRoutes(imports) },
  ]
  const part: DataPart = {
    folder: 'imports',
    tables: [],
    // An import can be undone only where it ran. The imported items are part of their own features.
    others: ['file_imports', 'file_import_pieces', 'file_import_items', 'file_import_problems'],
    async leave(tx, userId) {
      await uploads.removeAll(tx, userId)
    },
  }
  return { imports, part, routes, prune: () => imports.prune() }
}
