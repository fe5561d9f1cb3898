import type { Db } from '../../database/db.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import type { ChangeContext, StreamWriter } from './overlay.ts'
import {
  findLastCaptionId,
  findOpenStream,
  hideMilestones,
  listTracks,
  readState,
  type StateRecord,
  type StreamRecord,
  updateState,
  updateStream,
} from './repository.ts'
import type { Panic, StateChange } from './schema.ts'
import { closeStream, openStream, viewOfStream } from './streams.ts'

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
export const createStreamState = ({ db, streamWriter }: { db: Db; streamWriter: StreamWriter }) => {
  const emitState = async (context: ChangeContext, state: StateRecord) =>
    context.emit('stream.updated', 'stream', { state: viewOfState(state, await findOpenStream(context.tx)) })

  /** Updates the running stream too, so that it keeps its latest title and scene. */
  const apply = async (context: ChangeContext, input: StateInput): Promise<StateRecord> => {
    const { tx, state, now } = context
    const { held, ...rest } = input
    const change = { ...rest, ...(held !== undefined && { held: held ? 1 : 0 }) }
    const isChange = Object.entries(change).some(
      ([name, value]) => state[name as keyof StateRecord] !== value,
    )
    if (!isChange) return state
    const changed = await updateState(tx, change, now)
    const open = await findOpenStream(tx)
    if (open)
      await updateStream(tx, open.id, {
        title: changed.title,
        scene: changed.scene,
        peakViewers: Math.max(open.peakViewers, changed.viewers),
      })
    await emitState(context, changed)
    return changed
  }

  const start = async (context: ChangeContext, input: StateInput): Promise<StateRecord> => {
    const { tx, now } = context
    const open = await findOpenStream(tx)
    if (liveOf(open)) return apply(context, input)
    if (open) await closeStream(tx, open, now)
    const { held = false, ...rest } = input
    const state = await updateState(tx, { viewers: 0, ...rest, held: held ? 1 : 0 }, now)
    const stream = await openStream(tx, { ...state, now, rehearsal: false })
    if (state.viewers > 0) await updateStream(tx, stream.id, { peakViewers: state.viewers })
    await context.emit('stream.started', stream.id, { stream: viewOfStream(stream, []) })
    return state
  }

  const stop = async (context: ChangeContext): Promise<StateRecord> => {
    const { tx, now } = context
    const live = liveOf(await findOpenStream(tx))
    if (!live) return context.state
    const stream = await closeStream(tx, live, now)
    const state = await updateState(tx, { viewers: 0 }, now)
    const tracks = await listTracks(tx, [stream.id])
    await context.emit('stream.stopped', stream.id, { stream: viewOfStream(stream, tracks) })
    return state
  }

  /** Runs `work` and returns the new state. */
  const changeState = (work: (context: ChangeContext) => Promise<StateRecord>) =>
    streamWriter.change(async (context) => {
      const state = await work(context)
      return viewOfState(state, await findOpenStream(context.tx))
    })

  return {
    async read() {
      const state = await readState(db)
      return viewOfState(state, await findOpenStream(db))
    },

    change: (input: StateChange, ifMatch: string | undefined) =>
      changeState(async (context) => {
        requireMatch(ifMatch, viewOfState(context.state, undefined))
        const { live, ...rest } = input
        if (live === true) return start(context, rest)
        const state = await apply(context, rest)
        return live === false ? stop({ ...context, state }) : state
      }),

    start: (input: StateInput) => changeState((context) => start(context, input)),
    stop: () => changeState(stop),

    /** Hides everything on the overlay. With `hold`, the overlay stays empty until `held` is reset. */
    panic: ({ hold }: Panic) =>
      changeState(async (context) => {
        const { tx, now, state } = context
        await hideMilestones(tx)
        const cleared = { clearedThrough: await findLastCaptionId(tx), held: hold ? 1 : state.held }
        const changed = await updateState(tx, cleared, now)
        await context.emit('stream.panicked', 'stream', { held: changed.held === 1 })
        return changed
      }),
  }
}
