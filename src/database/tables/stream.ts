import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** One row per account: the state of its overlay. Every change of the stream locks it until the commit. */
export interface StreamStateRow {
  userId: number
  title: string
  scene: string
  viewers: number
  /** 1 hides everything on the overlay. */
  held: number
  /** Captions up to this id are hidden. */
  clearedThrough: number
  /** Number of changes of the stream, so that a reader can order two states. */
  revision: number
  version: number
  updatedAt: string
}

export interface StreamRow {
  id: Generated<number>
  userId: number
  title: string
  scene: string
  /** 1 for captions that arrived while nothing was live. */
  rehearsal: number
  /** The start of the caption times. */
  startedAt: string
  stoppedAt: string | null
  /** 1 while the stream is live, else null. A unique index allows at most one per account. */
  open: number | null
  peakViewers: number
  version: number
}

/** The captions of a stream in one language. */
export interface CaptionTrackRow {
  streamId: number
  language: string
  captions: number
  /** JSON: style sheets and regions of the imported files. */
  blocks: string
}

export interface CaptionRow {
  id: Generated<number>
  /** The account of the stream. */
  userId: number
  streamId: number
  language: string
  speaker: string | null
  text: string
  /** The imported markup, if speaker and text do not represent it completely. */
  markup: string | null
  cueId: string | null
  settings: string | null
  startMs: number
  endMs: number
  /** 1 for captions of a file: stored, but not displayed live. */
  imported: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface MilestoneRow {
  id: Generated<number>
  userId: number
  title: string
  unit: string
  target: number
  current: number
  /** `manual`, or the name of the counted metric. */
  source: string
  /** Start of the counting. */
  countsFrom: string
  reachedAt: string | null
  /** Hidden until it changes. */
  hidden: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface StreamCredentialRow {
  userId: number
  platform: string
  serverUrl: string | null
  /** JSON: the names of the sealed fields. */
  fields: string
  hint: string
  /** JSON, sealed. */
  secret: string
  version: number
  createdAt: string
  updatedAt: string
}

export interface StreamTables {
  stream_state: StreamStateRow
  streams: StreamRow
  caption_tracks: CaptionTrackRow
  captions: CaptionRow
  milestones: MilestoneRow
  stream_credentials: StreamCredentialRow
}

export const streamKeys: TableKeys<StreamTables> = {
  stream_state: ['userId'],
  streams: ['id'],
  caption_tracks: ['streamId', 'language'],
  captions: ['id'],
  milestones: ['id'],
  stream_credentials: ['userId', 'platform'],
}
