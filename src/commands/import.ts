import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { pack } from 'tar-stream'
import type { App } from '../app.ts'
import type { Db } from '../database/db.ts'
import { inTransaction } from '../database/transaction.ts'
import { findUserByEmail } from '../features/auth/repository.ts'
import { FORMATS } from '../features/imports/import-record.ts'
import type { FileImport, UploadQuery } from '../features/imports/schema.ts'
import { type Command, type CommandContext, CommandError, readArguments, readChoice } from './command.ts'
import { requireInstance, withApp } from './instance.ts'

const usage =
  'import FILE... --account EMAIL [--format FORMAT] [--timezone ZONE] [--dry-run] | import --undo ID --account EMAIL'

const readFormat = (text: string | undefined) =>
  text === undefined ? undefined : readChoice(text, FORMATS, { noun: 'format', listed: 'Known formats' })

/** Packs a folder, for example a Maildir, so that it is imported like an upload. */
async function* packFolder(folder: string): AsyncGenerator<Buffer> {
  const archive = pack()
  const fill = async (): Promise<void> => {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const { size } = await stat(path)
      const name = `${basename(folder)}/${relative(folder, path).split(sep).join('/')}`
      await new Promise<void>((done, fail) => {
        const target = archive.entry({ name, size }, (error) => (error ? fail(error) : done()))
        createReadStream(path)
          .on('error', fail)
          .pipe(target as unknown as NodeJS.WritableStream)
      })
    }
    archive.finalize()
  }
  const filled = fill().catch((error: Error) => archive.destroy(error))
  yield* archive as unknown as AsyncIterable<Buffer>
  await filled
}

const openFile = async (file: string): Promise<{ name: string; source: AsyncIterable<Buffer> }> => {
  const found = await stat(file).catch(() => undefined)
  if (!found) throw new CommandError(`${file} does not exist.`)
  const path = resolve(file)
  return found.isDirectory()
    ? { name: `${basename(path)}.tar`, source: packFolder(path) }
    : { name: basename(path), source: createReadStream(path) as AsyncIterable<Buffer> }
}

const KINDS = ['emails', 'contacts', 'events', 'tasks'] as const

const describeAnalysis = ({ analysis }: FileImport): string =>
  KINDS.flatMap((kind) => {
    const { count = 0, duplicates = 0 } = analysis?.[kind] ?? {}
    return count === 0 ? [] : [`${count} ${kind}${duplicates > 0 ? ` (${duplicates} already there)` : ''}`]
  }).join(', ') || 'nothing to import'

const describeCounts = ({ counts }: FileImport): string =>
  KINDS.flatMap((kind) => {
    const { created, updated, duplicates, skipped } = counts[kind]
    return created + updated + duplicates + skipped === 0
      ? []
      : [`${kind}: ${created} new, ${updated} updated, ${duplicates} already there, ${skipped} skipped`]
  }).join('; ') || 'nothing was imported'

/** Prints every problem as one line: severity, place, field, value, reason. Returns the number of skipped records. */
const printProblems = async (
  app: App,
  userId: number,
  id: number,
  print: (text: string) => void,
): Promise<number> => {
  let skipped = 0
  for await (const { severity, file, line, field, value, reason } of app.features.fileImports.eachProblem(
    userId,
    id,
  )) {
    const place = [file, line === null ? '' : `line ${line}`, field].filter((part) => part !== '').join(', ')
    print(`${severity}\t${place}\t${JSON.stringify(value)}\t${reason}`)
    if (severity === 'skipped') skipped++
  }
  return skipped
}

/** Returns the exit code: 1 if records were skipped, or if the file has none. */
const toExitCode = ({ note }: CommandContext, file: string, skipped: number, found: number): number => {
  if (skipped > 0)
    note(`${file}: ${skipped} records were skipped. The lines that begin with "skipped" say why.`)
  else if (found === 0) note(`${file}: nothing was found to import.`)
  return skipped > 0 || found === 0 ? 1 : 0
}

interface Session {
  app: App
  db: Db
  userId: number
  email: string
  context: CommandContext
  signal: AbortSignal
}

/** Works on an import until it has ended. An interrupted one is cancelled, and can be undone. */
const work = async ({ app, userId, email, context, signal }: Session, id: number): Promise<FileImport> => {
  const { fileImports: imports } = app.features
  let notedAt = 0
  try {
    await imports.work(userId, id, {
      signal,
      isLastAttempt: true,
      onProgress({ doneRecords, analysis }) {
        if (performance.now() - notedAt < 1000) return
        notedAt = performance.now()
        const total = analysis === null ? '?' : (JSON.parse(analysis) as { records: number }).records
        context.note(`${doneRecords} of ${total} records`)
      },
    })
  } catch (error) {
    if (!signal.aborted) throw error
    const { state } = await imports.get(userId, id)
    if (state !== 'undoing') await imports.cancel(userId, id, undefined)
    throw new CommandError(`The import was stopped. Undo it with: ${undoCommand(id, email)}`)
  }
  return imports.get(userId, id)
}

const undoCommand = (id: number, email: string): string => `factotum import --undo ${id} --account ${email}`

const undoImport = async (session: Session, id: number): Promise<void> => {
  const { app, db, userId, context } = session
  const { fileImports: imports } = app.features
  // A command that was killed leaves its import in the state "running".
  const { state } = await imports.get(userId, id)
  if (state === 'running') await imports.cancel(userId, id, undefined)
  await inTransaction(db, async (tx) => imports.watch(tx, await imports.prepareUndo(tx, userId, id)))
  const { counts } = await work(session, id)
  context.print(
    `Removed ${counts.undo?.removed ?? 0} items, kept ${counts.undo?.kept ?? 0} that were changed since.`,
  )
}

const importFile = async (
  session: Session,
  file: string,
  query: Omit<UploadQuery, 'filename'>,
  isDryRun: boolean,
): Promise<number> => {
  const { app, db, userId, email, context } = session
  const { fileImports: imports } = app.features
  const { name, source } = await openFile(file)
  context.note(`Reading ${name}`)
  const stored = await imports.store(userId, { ...query, filename: name.slice(-255) }, source)
  const { id } = await inTransaction(db, async (tx) => {
    const row = await imports.beginAnalysis(tx, stored)
    await imports.watch(tx, row)
    return row
  })
  const analysed = await work(session, id)
  if (analysed.state === 'failed') throw new CommandError(analysed.error ?? 'The file cannot be read.')
  context.note(`Found: ${describeAnalysis(analysed)}. ${analysed.problemCount} parts do not fit.`)
  const found = KINDS.reduce((sum, kind) => sum + (analysed.analysis?.[kind].count ?? 0), 0)
  if (isDryRun) {
    const skipped = await printProblems(app, userId, id, context.print)
    await imports.cancel(userId, id, undefined)
    return toExitCode(context, name, skipped, found)
  }
  await inTransaction(db, async (tx) => imports.watch(tx, await imports.prepareStart(tx, userId, id, {})))
  const done = await work(session, id)
  if (done.state !== 'done')
    throw new CommandError(done.error ?? `The import was stopped. Undo it with: ${undoCommand(id, email)}`)
  const skipped = await printProblems(app, userId, id, context.print)
  context.note(`Import ${id}: ${describeCounts(done)}. Undo it with: ${undoCommand(id, email)}`)
  return toExitCode(context, name, skipped, found)
}

const OPTIONS = {
  account: { type: 'string' },
  format: { type: 'string' },
  timezone: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  undo: { type: 'string' },
} as const

/** Any number of files, at least one. */
const listWords = (args: readonly string[], isUndo: boolean): string[] => {
  const { positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    strict: false,
  })
  return isUndo ? [] : Array.from({ length: Math.max(1, positionals.length) }, () => 'FILE')
}

export const importCommand: Command = {
  usage,
  summary: 'Import mail, contacts, events or tasks of another program',
  async run(context) {
    const isUndo = context.args.some((arg) => arg === '--undo' || arg.startsWith('--undo='))
    const { values, words } = readArguments(context.args, {
      usage,
      options: OPTIONS,
      words: listWords(context.args, isUndo),
    })
    const format = readFormat(values.format)
    const undoId = values.undo === undefined ? undefined : Number(values.undo)
    if (undoId !== undefined && !Number.isSafeInteger(undoId))
      throw new CommandError('--undo needs the number of an import.')
    if (values.account === undefined) throw new CommandError(`--account is missing. Usage: factotum ${usage}`)
    const email = values.account
    requireInstance(context)
    const stop = new AbortController()
    context.onStop(() => stop.abort())
    return withApp(context, async (app, { db }) => {
      const user = await findUserByEmail(db, email)
      if (!user) throw new CommandError(`There is no account with the address ${email}.`)
      const session: Session = { app, db, userId: user.id, email, context, signal: stop.signal }
      if (undoId !== undefined) await undoImport(session, undoId)
      const query = { ...(format && { format }), ...(values.timezone && { timezone: values.timezone }) }
      let code = 0
      for (const file of words)
        code = Math.max(code, await importFile(session, file, query, values['dry-run']))
      return code
    })
  },
}
