import type { components } from '../api/schema.ts'

type Schemas = components['schemas']
export type Snapshot = Schemas['Overlay']
export type Caption = Schemas['Caption']
export type Milestone = Schemas['Milestone']
export type State = Schemas['StreamState']

/** What an event says, as `GET /api/stream/events` sends it. */
export interface Told {
  revision: number
  caption?: Caption
  captionId?: number
  milestone?: Milestone
  milestoneId?: number
  state?: State
  stream?: Schemas['Stream']
  streamId?: number
  language?: string | null
  held?: boolean
}
