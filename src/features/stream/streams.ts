import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { pageOf, readCursor, requireMatch } from '../../platform/http/etag.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { readByNumber } from '../../platform/resources.ts'
import {
  type CredentialRecord,
  deleteCredential,
  findCredential,
  findLastCaptionId,
  findLatestStream,
  findOpenStream,
  hideMilestones,
  listCredentials,
  listSecrets,
  listTracks,
  readState,
  replaceSecret,
  type StateRecord,
  type StreamRecord,
  saveCredential,
  streamRows,
  type TrackRecord,
  updateState,
} from './repository.ts'
import type { CredentialInput, Panic, StateChange } from './schema.ts'
import type { ChangeContext, StreamWriter } from './stream-writer.ts'

const viewOfStream = (stream: StreamRecord, tracks: readonly TrackRecord[]) => {
  const { userId: _, open, rehearsal, ...fields } = stream
  return {
    ...fields,
    live: open === 1 && rehearsal === 0,
    rehearsal: rehearsal === 1,
    languages: tracks
      .filter(({ streamId }) => streamId === stream.id)
      .map(({ language, captions }) => ({ language, captions })),
  }
}

/** Returns the requested stream, otherwise the running one, otherwise the last one. */
export const findRequestedStream = async (
  db: Db,
  userId: number,
  id: number | undefined,
): Promise<StreamRecord | undefined> =>
  id === undefined
    ? ((await findOpenStream(db, userId)) ?? findLatestStream(db, userId))
    : streamRows.get(db, userId, id)

/** Returns the stream for new captions. Opens a rehearsal if no stream is live. */
export const streamForCaptions = async (
  context: ChangeContext,
  id: number | undefined,
): Promise<StreamRecord> => {
  const { tx, userId, state, now } = context
  if (id !== undefined) return streamRows.get(tx, userId, id)
  const { title, scene } = state
  return (await findOpenStream(tx, userId)) ?? openStream(tx, userId, { title, scene, now, rehearsal: true })
}

const openStream = (
  tx: Db,
  userId: number,
  { title, scene, now, rehearsal }: { title: string; scene: string; now: string; rehearsal: boolean },
): Promise<StreamRecord> =>
  streamRows.insert(tx, {
    userId,
    title,
    scene,
    rehearsal: rehearsal ? 1 : 0,
    startedAt: now,
    stoppedAt: null,
    open: 1,
    peakViewers: 0,
    version: 1,
  })

/** If the clock was set back, a stream must not end before it started. */
const closeStream = (tx: Db, stream: StreamRecord, now: string): Promise<StreamRecord> =>
  streamRows.update(tx, stream, {
    open: null,
    stoppedAt: now < stream.startedAt ? stream.startedAt : now,
  })

export type Streams = ReturnType<typeof createStreams>

export const createStreams = ({ db }: Platform, streamWriter: StreamWriter) => ({
  async list(userId: number, request: PageRequest) {
    const { page, nextCursor } = await readByNumber(streamRows.select(db, userId), request, 'desc')
    const tracks = await listTracks(
      db,
      page.map(({ id }) => id),
    )
    return { streams: page.map((stream) => viewOfStream(stream, tracks)), nextCursor }
  },

  async get(userId: number, id: number) {
    const stream = await streamRows.get(db, userId, id)
    return viewOfStream(stream, await listTracks(db, [id]))
  },

  /** Also deletes its captions. */
  remove: (userId: number, id: number, ifMatch: string | undefined): Promise<void> =>
    streamWriter.change(userId, async ({ tx, state, emit }) => {
      const stream = await streamRows.get(tx, userId, id)
      requireMatch(ifMatch, stream)
      if (stream.open === 1 && stream.rehearsal === 0) throw conflict('This stream is live. Stop it first.')
      await streamRows.delete(tx, userId, id)
      await emit({
        type: 'stream.deleted',
        subject: String(id),
        data: { streamId: id, revision: state.revision },
      })
    }),
})

const liveOf = (open: StreamRecord | undefined): StreamRecord | undefined =>
  open?.rehearsal === 0 ? open : undefined

/** `open` is the running stream or rehearsal. */
export const viewOfState = (state: StateRecord, open: StreamRecord | undefined) => {
  const live = liveOf(open)
  return {
    live: live !== undefined,
    title: state.title,
    scene: state.scene,
    startedAt: live?.startedAt ?? null,
    viewers: state.viewers,
    held: state.held === 1,
    streamId: open?.id ?? null,
    updatedAt: state.updatedAt,
    id: 'stream',
    version: state.version,
  }
}

type StateInput = Omit<StateChange, 'live'>

export type StreamState = ReturnType<typeof createStreamState>

/** Manages the stream state: live or not, title, scene and viewers. */
export const createStreamState = ({ db, clock }: Platform, streamWriter: StreamWriter) => {
  const emitState = async (context: ChangeContext, state: StateRecord) =>
    context.emit({
      type: 'stream.updated',
      subject: 'stream',
      data: {
        state: viewOfState(state, await findOpenStream(context.tx, context.userId)),
        revision: context.state.revision,
      },
    })

  /** Updates the running stream too, so that it keeps its latest title and scene. */
  const apply = async (context: ChangeContext, input: StateInput): Promise<StateRecord> => {
    const { tx, userId, state, now } = context
    const { held, ...rest } = input
    const change = { ...rest, ...(held !== undefined && { held: held ? 1 : 0 }) }
    const isChange = Object.entries(change).some(
      ([name, value]) => state[name as keyof StateRecord] !== value,
    )
    if (!isChange) return state
    const changed = await updateState(tx, userId, change, now)
    const open = await findOpenStream(tx, userId)
    if (open)
      await streamRows.update(tx, open, {
        title: changed.title,
        scene: changed.scene,
        peakViewers: Math.max(open.peakViewers, changed.viewers),
      })
    await emitState(context, changed)
    return changed
  }

  const start = async (context: ChangeContext, input: StateInput): Promise<StateRecord> => {
    const { tx, userId, now } = context
    const open = await findOpenStream(tx, userId)
    if (liveOf(open)) return apply(context, input)
    if (open) await closeStream(tx, open, now)
    const { held = false, ...rest } = input
    const state = await updateState(tx, userId, { viewers: 0, ...rest, held: held ? 1 : 0 }, now)
    const stream = await openStream(tx, userId, { ...state, now, rehearsal: false })
    if (state.viewers > 0) await streamRows.update(tx, stream, { peakViewers: state.viewers })
    await context.emit({
      type: 'stream.started',
      subject: String(stream.id),
      data: { stream: viewOfStream(stream, []), revision: context.state.revision },
    })
    return state
  }

  const stop = async (context: ChangeContext): Promise<StateRecord> => {
    const { tx, userId, now } = context
    const live = liveOf(await findOpenStream(tx, userId))
    if (!live) return context.state
    const stream = await closeStream(tx, live, now)
    const state = await updateState(tx, userId, { viewers: 0 }, now)
    const tracks = await listTracks(tx, [stream.id])
    await context.emit({
      type: 'stream.stopped',
      subject: String(stream.id),
      data: { stream: viewOfStream(stream, tracks), revision: context.state.revision },
    })
    return state
  }

  /** Runs `work` and returns the new state. */
  const changeState = (userId: number, work: (context: ChangeContext) => Promise<StateRecord>) =>
    streamWriter.change(userId, async (context) => {
      const state = await work(context)
      return viewOfState(state, await findOpenStream(context.tx, userId))
    })

  return {
    async read(userId: number) {
      const state = await readState(db, userId, clock.now().toISOString())
      return viewOfState(state, await findOpenStream(db, userId))
    },

    change: (userId: number, input: StateChange, ifMatch: string | undefined) =>
      changeState(userId, async (context) => {
        requireMatch(ifMatch, viewOfState(context.state, undefined))
        const { live, ...rest } = input
        if (live === true) return start(context, rest)
        const state = await apply(context, rest)
        return live === false ? stop({ ...context, state }) : state
      }),

    start: (userId: number, input: StateInput) => changeState(userId, (context) => start(context, input)),
    stop: (userId: number) => changeState(userId, stop),

    /** Hides everything on the overlay. With `hold`, the overlay stays empty until `held` is reset. */
    panic: (userId: number, { hold }: Panic) =>
      changeState(userId, async (context) => {
        const { tx, now, state } = context
        await hideMilestones(tx, userId)
        const cleared = { clearedThrough: await findLastCaptionId(tx, userId), held: hold ? 1 : state.held }
        const changed = await updateState(tx, userId, cleared, now)
        await context.emit({
          type: 'stream.panicked',
          subject: 'stream',
          data: { held: changed.held === 1, revision: context.state.revision },
        })
        return changed
      }),
  }
}

const toSealContext = (platform: string): string => `stream_credentials.secret:${platform}`

/** Returns the last characters, enough to recognize the secret. */
const toHint = (secret: string): string => (secret.length >= 16 ? `…${secret.slice(-4)}` : '…')

const viewOf = ({ platform, serverUrl, fields, hint, version, createdAt, updatedAt }: CredentialRecord) => ({
  platform,
  configured: true,
  serverUrl,
  hint,
  createdAt,
  updatedAt,
  fields: JSON.parse(fields) as string[],
  id: platform,
  version,
})

export type StreamCredentials = ReturnType<typeof createStreamCredentials>

/** Stores credentials of streaming platforms, encrypted. They are never returned. */
export const createStreamCredentials = ({ db, clock, sealer }: Platform) => {
  const get = async (tx: Db, userId: number, platform: string): Promise<CredentialRecord> => {
    const credential = await findCredential(tx, userId, platform)
    if (!credential) throw notFound('credential')
    return credential
  }
  return {
    async list(userId: number, { limit, cursor }: PageRequest) {
      const after = readCursor(cursor, 'text')?.[0]
      const rows = await listCredentials(db, userId, { limit, after })
      const { page, nextCursor } = pageOf(rows, limit, ({ platform }) => [platform])
      return { credentials: page.map(viewOf), nextCursor }
    },

    get: async (userId: number, platform: string) => viewOf(await get(db, userId, platform)),

    /** Replaces all secrets of the platform. */
    put: (
      userId: number,
      platform: string,
      { serverUrl, ...secrets }: CredentialInput,
      ifMatch: string | undefined,
    ) =>
      inTransaction(db, async (tx) => {
        const [secret] = Object.values(secrets)
        if (secret === undefined) throw invalid('Send at least one secret, such as streamKey.')
        const before = await findCredential(tx, userId, platform)
        if (ifMatch !== undefined) requireMatch(ifMatch, { id: platform, version: before?.version ?? 0 })
        const now = clock.now().toISOString()
        const saved = await saveCredential(tx, {
          userId,
          platform,
          serverUrl: serverUrl ?? null,
          fields: JSON.stringify(Object.keys(secrets)),
          hint: toHint(secret),
          createdAt: now,
          updatedAt: now,
          secret: sealer.seal(JSON.stringify(secrets), toSealContext(platform)),
        })
        return { made: before === undefined, credential: viewOf(saved) }
      }),

    remove: (userId: number, platform: string, ifMatch: string | undefined): Promise<void> =>
      inTransaction(db, async (tx) => {
        requireMatch(ifMatch, { id: platform, version: (await get(tx, userId, platform)).version })
        await deleteCredential(tx, userId, platform)
      }),

    /** Re-encrypts secrets that were encrypted with a previous SECRET_KEY. */
    async reseal(tx: Db): Promise<void> {
      for (const { userId, platform, secret } of await listSecrets(tx))
        if (sealer.isStale(secret)) {
          const context = toSealContext(platform)
          await replaceSecret(tx, userId, platform, sealer.seal(sealer.open(secret, context), context))
        }
    },
  }
}
