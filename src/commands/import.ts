import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { pack } from 'tar-stream'
import type { App } from '../app.ts'
import { inTransaction } from '../database/transaction.ts'
import { findUserByEmail } from '../features/auth/repository.ts'
import { FORMATS, type Format } from '../features/imports/formats/format-names.ts'
import type { FileImport } from '../features/imports/schema.ts'
import { nearest } from '../platform/collections.ts'
import { type Command, CommandError, readArguments } from './command.ts'
import { requireInstance, withApp } from './instance.ts'

const usage = 'import FILE --account EMAIL [--format FORMAT] [--dry-run] | import --undo ID --account EMAIL'

const readFormat = (text: string | undefined): Format | undefined => {
  if (text === undefined) return undefined
  const known = FORMATS.find((format) => format === text)
  if (known) return known
  const suggestion = nearest(text, FORMATS)
  throw new CommandError(
    `Unknown format "${text}". ${suggestion ? `Did you mean ${suggestion}?` : `Known formats: ${FORMATS.join(', ')}.`}`,
  )
}

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

/** Prints every problem as one line: severity, place, field, value, reason. */
const printProblems = async (
  app: App,
  userId: number,
  id: number,
  print: (text: string) => void,
): Promise<void> => {
  for await (const { severity, file, line, field, value, reason } of app.features.fileImports.eachProblem(
    userId,
    id,
  )) {
    const place = [file, line === null ? '' : `line ${line}`, field].filter((part) => part !== '').join(', ')
    print(`${severity}\t${place}\t${JSON.stringify(value)}\t${reason}`)
  }
}

export const importCommand: Command = {
  usage,
  summary: 'Import mail, contacts, events or tasks of another program',
  async run(context) {
    const options = {
      account: { type: 'string' },
      format: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      undo: { type: 'string' },
    } as const
    const isUndo = context.args.some((arg) => arg === '--undo' || arg.startsWith('--undo='))
    const { values, words } = readArguments(context.args, { usage, options, words: isUndo ? [] : ['FILE'] })
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
      const { fileImports: imports } = app.features
      let notedAt = 0
      const work = async (id: number) => {
        await imports.work(user.id, id, {
          signal: stop.signal,
          isLastAttempt: true,
          onProgress({ doneRecords, analysis }) {
            if (performance.now() - notedAt < 1000) return
            notedAt = performance.now()
            const total = analysis === null ? '?' : (JSON.parse(analysis) as { records: number }).records
            context.note(`${doneRecords} of ${total} records`)
          },
        })
        return imports.get(user.id, id)
      }
      if (undoId !== undefined) {
        await inTransaction(db, (tx) => imports.prepareUndo(tx, user.id, undoId))
        const { counts } = await work(undoId)
        context.print(
          `Removed ${counts.undo?.removed ?? 0} items, kept ${counts.undo?.kept ?? 0} that were changed since.`,
        )
        return 0
      }
      const { name, source } = await openFile(words[0] as string)
      context.note(`Reading ${name}`)
      const stored = await imports.store(
        user.id,
        { filename: name.slice(-255), ...(format && { format }) },
        source,
      )
      const { id } = await inTransaction(db, (tx) => imports.beginAnalysis(tx, stored))
      const analysed = await work(id)
      if (analysed.state === 'failed') throw new CommandError(analysed.error ?? 'The file cannot be read.')
      context.note(`Found: ${describeAnalysis(analysed)}. ${analysed.problemCount} parts do not fit.`)
      if (values['dry-run']) {
        await printProblems(app, user.id, id, context.print)
        await imports.cancel(user.id, id, undefined)
        return 0
      }
      await inTransaction(db, (tx) => imports.prepareStart(tx, user.id, id, {}))
      const done = await work(id)
      if (done.state !== 'done')
        throw new CommandError(
          done.error ??
            `The import was stopped. Undo it with: factotum import --undo ${id} --account ${email}`,
        )
      await printProblems(app, user.id, id, context.print)
      context.note(
        `Import ${id}: ${describeCounts(done)}. Undo it with: factotum import --undo ${id} --account ${email}`,
      )
      return 0
    })
  },
}
