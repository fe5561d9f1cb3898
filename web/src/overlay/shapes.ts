import type { components } from '../api/schema.ts'

type Schemas = components['schemas']
export type Snapshot = Schemas['Overlay']
export type Caption = Schemas['Caption']
export type Milestone = Schemas['Milestone']
export type State = Schemas['StreamState']

/** Payload of the events of `GET /api/stream/events`. */
export interface StreamEventData {
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
