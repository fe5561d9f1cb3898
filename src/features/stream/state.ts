import type { Db } from '../../database/db.ts'
import { requireMatch } from '../../platform/http/etag.ts'
import { findLastCaptionId } from './caption-store.ts'
import { hideMilestones } from './milestone-store.ts'
import type { Panic, StateChange } from './schema.ts'
import type { Scene, Stage } from './stage.ts'
import {
  findOpenStream,
  listTracks,
  readState,
  type StateRecord,
  type StreamRecord,
  updateState,
  updateStream,
} from './store.ts'
import { closeStream, openStream, viewOfStream } from './streams.ts'

const liveOf = (open: StreamRecord | undefined): StreamRecord | undefined =>
  open?.rehearsal === 0 ? open : undefined

/** `open`: the stream that goes on, a rehearsal included. */
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

type Wish = Omit<StateChange, 'live'>

export type StreamState = ReturnType<typeof createStreamState>

/** What is on the stage: whether it is live, and under which title. */
export const createStreamState = ({ db, stage }: { db: Db; stage: Stage }) => {
  const tellState = async (scene: Scene, state: StateRecord) =>
    scene.tell('stream.updated', 'stream', { state: viewOfState(state, await findOpenStream(scene.tx)) })

  /** What goes on has the title and scene that it had last. */
  const apply = async (scene: Scene, wish: Wish): Promise<StateRecord> => {
    const { tx, state, now } = scene
    const { held, ...rest } = wish
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
    await tellState(scene, changed)
    return changed
  }

  const start = async (scene: Scene, wish: Wish): Promise<StateRecord> => {
    const { tx, now } = scene
    const open = await findOpenStream(tx)
    if (liveOf(open)) return apply(scene, wish)
    if (open) await closeStream(tx, open, now)
    const { held = false, ...rest } = wish
    const state = await updateState(tx, { viewers: 0, ...rest, held: held ? 1 : 0 }, now)
    const stream = await openStream(tx, { ...state, now, rehearsal: false })
    if (state.viewers > 0) await updateStream(tx, stream.id, { peakViewers: state.viewers })
    await scene.tell('stream.started', stream.id, { stream: viewOfStream(stream, []) })
    return state
  }

  const stop = async (scene: Scene): Promise<StateRecord> => {
    const { tx, now } = scene
    const live = liveOf(await findOpenStream(tx))
    if (!live) return scene.state
    const stream = await closeStream(tx, live, now)
    const state = await updateState(tx, { viewers: 0 }, now)
    const tracks = await listTracks(tx, [stream.id])
    await scene.tell('stream.stopped', stream.id, { stream: viewOfStream(stream, tracks) })
    return state
  }

  /** Runs `work`, then shows how things stand. */
  const changing = (work: (scene: Scene) => Promise<StateRecord>) =>
    stage.change(async (scene) => {
      const state = await work(scene)
      return viewOfState(state, await findOpenStream(scene.tx))
    })

  return {
    async read() {
      const state = await readState(db)
      return viewOfState(state, await findOpenStream(db))
    },

    change: (wish: StateChange, ifMatch: string | undefined) =>
      changing(async (scene) => {
        requireMatch(ifMatch, viewOfState(scene.state, undefined))
        const { live, ...rest } = wish
        if (live === true) return start(scene, rest)
        const state = await apply(scene, rest)
        return live === false ? stop({ ...scene, state }) : state
      }),

    start: (wish: Wish) => changing((scene) => start(scene, wish)),
    stop: () => changing(stop),

    /** Nothing that was on the screen comes back; with `hold` nothing comes at all until that is taken back. */
    panic: ({ hold }: Panic) =>
      changing(async (scene) => {
        const { tx, now, state } = scene
        await hideMilestones(tx)
        const cleared = { clearedThrough: await findLastCaptionId(tx), held: hold ? 1 : state.held }
        const changed = await updateState(tx, cleared, now)
        await scene.tell('stream.panicked', 'stream', { held: changed.held === 1 })
        return changed
      }),
  }
}
