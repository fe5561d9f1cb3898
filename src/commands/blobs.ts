import type { OpenedPlace } from '../platform/blobs/blobs.ts'
import {
  type MoveDeps,
  type MoveResult,
  moveFromBucket,
  moveToBucket,
} from '../platform/blobs/bucket-moves.ts'
import { requireCurrent } from './backup.ts'
import { type Command, type CommandContext, CommandError, readArguments } from './command.ts'
import { openOrExplain, requireInstance, withBlobPlace } from './instance.ts'

const toMoveDeps = (
  { local, bucket, readDatabaseId }: OpenedPlace,
  database: MoveDeps['database'],
): MoveDeps => {
  if (bucket === null) throw new CommandError('Set BLOBS_URL to the bucket, then run the command again.')
  return { database, local, bucket, readDatabaseId, mayRemove: () => true }
}

const withMoveDeps = async <T>(context: CommandContext, work: (deps: MoveDeps) => Promise<T>): Promise<T> => {
  requireInstance(context)
  const database = await openOrExplain(context)
  try {
    await requireCurrent(database)
    return await withBlobPlace(context, database, (opened) => work(toMoveDeps(opened, database)))
  } finally {
    await database.close()
  }
}

const PROGRESS_STEP = 500

/** Prints the first progress and then a line for every few hundred blobs. */
const createProgress = (note: (text: string) => void): ((moved: number) => void) => {
  let next = 1
  return (moved) => {
    if (moved < next) return
    note(`${moved} moved`)
    next = moved + PROGRESS_STEP
  }
}

const moveUsage = 'blobs move [--to bucket|local]'

const describeMove = ({ moved, damaged }: MoveResult, target: string): string =>
  `Moved ${moved} ${moved === 1 ? 'blob' : 'blobs'} to ${target}.${
    damaged.length > 0
      ? ` ${damaged.length} stayed, because their bytes do not match their hash; the first is ${damaged[0]}.`
      : ''
  }`

export const blobsMove: Command = {
  usage: moveUsage,
  summary: 'Move messages and attachments to the bucket in BLOBS_URL, or back',
  async run(context) {
    const { args, note, print } = context
    const options = { to: { type: 'string', default: 'bucket' } } as const
    const { to } = readArguments(args, { usage: moveUsage, options, words: [] }).values
    if (to !== 'bucket' && to !== 'local')
      throw new CommandError(`--to must be bucket or local, not "${to}". Usage: factotum ${moveUsage}`)
    return withMoveDeps(context, async (deps) => {
      const move = to === 'bucket' ? moveToBucket : moveFromBucket
      const result = await move(deps, { onProgress: createProgress(note) })
      print(describeMove(result, to === 'bucket' ? deps.bucket.location : 'the local storage'))
      if (to === 'local' && result.damaged.length === 0) {
        await deps.bucket.disown()
        print('Remove BLOBS_URL now, and restart the server.')
      }
      return result.damaged.length > 0 ? 1 : 0
    })
  },
}

const claimUsage = 'blobs claim'

export const blobsClaim: Command = {
  usage: claimUsage,
  summary: 'Use the bucket in BLOBS_URL although another database used it',
  async run(context) {
    readArguments(context.args, { usage: claimUsage, options: {}, words: [] })
    return withMoveDeps(context, async ({ bucket, readDatabaseId }) => {
      await bucket.claim(await readDatabaseId())
      context.print(`${bucket.location} now belongs to this database. Restart the server.`)
      return 0
    })
  },
}

/** After a restore, moves the blobs if the bucket belonged to the replaced database, or to none. */
export const moveRestoredBlobs = async (context: CommandContext, replaced: string | null): Promise<void> => {
  if (context.config.blobs === null) return
  const { note, print } = context
  try {
    await withMoveDeps(context, async (deps) => {
      const owner = await deps.bucket.findOwner()
      if (owner === replaced) await deps.bucket.claim(await deps.readDatabaseId())
      const result = await moveToBucket(deps, { onProgress: createProgress(note) })
      print(describeMove(result, deps.bucket.location))
    })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    print(`The messages and attachments stay local for now. ${error.message}`)
  }
}
