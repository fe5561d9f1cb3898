import type { Generated } from 'kysely'
import type { TableKeys } from './keys.ts'

/** One row: what is on the stage. Whoever changes anything of the stream holds it until the commit. */
export interface StreamStateRow {
  id: number
  title: string
  scene: string
  viewers: number
  /** The overlay shows nothing until this is taken back. */
  held: number
  /** Captions up to this one are shown no more. */
  clearedThrough: number
  /** Counts every change of the stream, so that a reader knows which of two tellings is the later one. */
  revision: number
  version: number
  updatedAt: string
}

export interface StreamRow {
  id: Generated<number>
  title: string
  scene: string
  /** Captions that came while nothing was live have a stream of their own. */
  rehearsal: number
  /** What its captions' times count from. */
  startedAt: string
  stoppedAt: string | null
  /** 1 while it goes on, else null: there is one such at most. */
  open: number | null
  peakViewers: number
  version: number
}

/** The captions of a stream in one language. */
export interface CaptionTrackRow {
  streamId: number
  language: string
  captions: number
  /** JSON: style sheets and regions of the files that were imported. */
  blocks: string
}

export interface CaptionRow {
  id: Generated<number>
  streamId: number
  language: string
  speaker: string | null
  text: string
  /** As it was imported, where speaker and text do not say it all. */
  markup: string | null
  cueId: string | null
  settings: string | null
  startMs: number
  endMs: number
  /** Part of a file: for the record, not for the screen. */
  imported: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface MilestoneRow {
  id: Generated<number>
  title: string
  unit: string
  target: number
  current: number
  /** `manual`, or what is counted. */
  source: string
  /** From when on it is counted. */
  countsFrom: string
  reachedAt: string | null
  /** Not shown until it changes. */
  hidden: number
  version: number
  createdAt: string
  updatedAt: string
}

export interface StreamCredentialRow {
  platform: string
  serverUrl: string | null
  /** JSON: the names of what is sealed. */
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
  stream_state: ['id'],
  streams: ['id'],
  caption_tracks: ['streamId', 'language'],
  captions: ['id'],
  milestones: ['id'],
  stream_credentials: ['platform'],
}
