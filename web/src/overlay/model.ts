import type { Caption, Milestone, Snapshot, State, Told } from './shapes.ts'

/** A caption and the moment, by `performance.now()`, when it came on the screen. */
export interface ShownCaption {
  caption: Caption
  since: number
}

export interface Model {
  /** What is told of this revision or an earlier one is in here already. */
  base: number
  state: State
  /** What is added to an earlier stream than this is not for the screen. */
  firstStream: number
  language: string
  /** Nobody said which language, and no caption has come yet that would. */
  isLanguageOpen: boolean
  captions: readonly ShownCaption[]
  milestones: readonly Milestone[]
}

const MOST_CAPTIONS = 12

/** A language and its kinds: `en` is shown `en-GB`, and the other way round. */
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
  const before = model.captions.filter((shown) => shown.caption.streamId === caption.streamId)
  return {
    ...model,
    language: isLanguageOpen ? caption.language : language,
    isLanguageOpen: false,
    captions: [...before, { caption, since: now }].slice(-MOST_CAPTIONS),
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

/** A stream that begins or ends takes the captions of what was before with it. */
const withStream = (model: Model, stream: NonNullable<Told['stream']>): Model => {
  const { live, title, scene } = stream
  return {
    ...model,
    state: { ...model.state, live, title, scene, startedAt: live ? stream.startedAt : null },
    firstStream: live ? stream.id : stream.id + 1,
    captions: [],
  }
}

/** What is on the screen after an event. Null: it has to be asked for anew. */
export const afterEvent = (model: Model, type: string, told: Told, now: number): Model | null => {
  if (told.revision <= model.base) return model
  const { caption, milestone, state } = told
  switch (type) {
    case 'stream.caption_added':
      return caption ? withCaption(model, caption, now) : model
    case 'stream.caption_corrected':
      return {
        ...model,
        captions: model.captions.map((shown) =>
          caption && shown.caption.id === caption.id ? { ...shown, caption } : shown,
        ),
      }
    case 'stream.caption_removed':
      return { ...model, captions: model.captions.filter((shown) => shown.caption.id !== told.captionId) }
    case 'stream.captions_cleared': {
      const isGone = (one: Caption) =>
        one.streamId === told.streamId && (!told.language || one.language === told.language)
      return { ...model, captions: model.captions.filter((shown) => !isGone(shown.caption)) }
    }
    case 'stream.started':
    case 'stream.stopped':
      return told.stream && !model.state.held ? withStream(model, told.stream) : null
    case 'stream.updated':
      if (!state) return model
      return model.state.held === state.held ? { ...model, state } : null
    case 'stream.panicked':
      return {
        ...model,
        state: { ...model.state, held: told.held ?? false },
        captions: [],
        milestones: [],
      }
    case 'stream.milestone_changed':
    case 'stream.milestone_reached':
      return milestone ? withMilestone(model, milestone) : model
    case 'stream.milestone_removed':
      return { ...model, milestones: model.milestones.filter(({ id }) => id !== told.milestoneId) }
    default:
      return model
  }
}

/** Without what has stayed for long enough; the same model where that is nothing. */
export const withoutOld = (model: Model, linger: number, now: number): Model => {
  if (linger === 0) return model
  const captions = model.captions.filter(({ since }) => now - since < linger * 1000)
  return captions.length === model.captions.length ? model : { ...model, captions }
}

/** When the next one will have stayed for long enough. */
export const nextToGo = ({ captions }: Model, linger: number): number | null =>
  linger === 0 || captions.length === 0
    ? null
    : Math.min(...captions.map(({ since }) => since)) + linger * 1000
