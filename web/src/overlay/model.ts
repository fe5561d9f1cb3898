import type { Caption, Milestone, Snapshot, State, StreamEventData } from './shapes.ts'

/** A caption and the time by `performance.now()` when it was displayed. */
export interface DisplayedCaption {
  caption: Caption
  since: number
}

export interface Model {
  /** Events up to this revision are already included. */
  base: number
  state: State
  /** Captions of earlier streams are not displayed. */
  firstStream: number
  language: string
  /** The language is not configured, and no caption has determined it yet. */
  isLanguageOpen: boolean
  captions: readonly DisplayedCaption[]
  milestones: readonly Milestone[]
}

const MAX_CAPTIONS = 12

/** Matches a language and its variants: `en` and `en-GB` are the same. */
const isSameLanguage = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}-`) || other.startsWith(`${one}-`)

export const fromSnapshot = (snapshot: Snapshot, wanted: string | null, now: number): Model => {
  const { revision: base, state, language, milestones } = snapshot
  const age = ({ createdAt }: Caption) => Math.max(0, Date.parse(snapshot.now) - Date.parse(createdAt))
  const captions = snapshot.captions.map((caption) => ({ caption, since: now - age(caption) }))
  const isLanguageOpen = wanted === null && captions.length === 0
  return { base, state, firstStream: state.streamId ?? 0, language, isLanguageOpen, captions, milestones }
}

const withCaption = (model: Model, caption: Caption, now: number): Model => {
  const { state, language, isLanguageOpen } = model
  if (state.held || caption.streamId < model.firstStream) return model
  if (!isLanguageOpen && !isSameLanguage(caption.language, language)) return model
  const before = model.captions.filter((displayed) => displayed.caption.streamId === caption.streamId)
  return {
    ...model,
    language: isLanguageOpen ? caption.language : language,
    isLanguageOpen: false,
    captions: [...before, { caption, since: now }].slice(-MAX_CAPTIONS),
  }
}

const withMilestone = (model: Model, milestone: Milestone): Model => {
  if (model.state.held) return model
  const isThere = model.milestones.some(({ id }) => id === milestone.id)
  const milestones = isThere
    ? model.milestones.map((one) => (one.id === milestone.id ? milestone : one))
    : [...model.milestones, milestone].sort((a, b) => a.id - b.id)
  return { ...model, milestones }
}

/** A stream that starts or stops removes the earlier captions. */
const withStream = (model: Model, stream: NonNullable<StreamEventData['stream']>): Model => {
  const { live, title, scene } = stream
  return {
    ...model,
    state: { ...model.state, live, title, scene, startedAt: live ? stream.startedAt : null },
    firstStream: live ? stream.id : stream.id + 1,
    captions: [],
  }
}

/** Returns the model after an event, or null if a new snapshot is necessary. */
export const afterEvent = (
  model: Model,
  type: string,
  payload: StreamEventData,
  now: number,
): Model | null => {
  if (payload.revision <= model.base) return model
  const { caption, milestone, state } = payload
  switch (type) {
    case 'stream.caption_added':
      return caption ? withCaption(model, caption, now) : model
    case 'stream.caption_corrected':
      return {
        ...model,
        captions: model.captions.map((displayed) =>
          caption && displayed.caption.id === caption.id ? { ...displayed, caption } : displayed,
        ),
      }
    case 'stream.caption_removed':
      return {
        ...model,
        captions: model.captions.filter((displayed) => displayed.caption.id !== payload.captionId),
      }
    case 'stream.captions_cleared': {
      const isGone = (one: Caption) =>
        one.streamId === payload.streamId && (!payload.language || one.language === payload.language)
      return { ...model, captions: model.captions.filter((displayed) => !isGone(displayed.caption)) }
    }
    case 'stream.started':
    case 'stream.stopped':
      return payload.stream && !model.state.held ? withStream(model, payload.stream) : null
    case 'stream.updated':
      if (!state) return model
      return model.state.held === state.held ? { ...model, state } : null
    case 'stream.panicked':
      return {
        ...model,
        state: { ...model.state, held: payload.held ?? false },
        captions: [],
        milestones: [],
      }
    case 'stream.milestone_changed':
    case 'stream.milestone_reached':
      return milestone ? withMilestone(model, milestone) : model
    case 'stream.milestone_removed':
      return { ...model, milestones: model.milestones.filter(({ id }) => id !== payload.milestoneId) }
    default:
      return model
  }
}

/** Removes expired captions. Returns the same model if there are none. */
export const withoutExpired = (model: Model, linger: number, now: number): Model => {
  if (linger === 0) return model
  const captions = model.captions.filter(({ since }) => now - since < linger * 1000)
  return captions.length === model.captions.length ? model : { ...model, captions }
}

/** Time at which the next caption expires. */
export const nextExpiry = ({ captions }: Model, linger: number): number | null =>
  linger === 0 || captions.length === 0
    ? null
    : Math.min(...captions.map(({ since }) => since)) + linger * 1000
