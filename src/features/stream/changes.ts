import Type, { type TProperties } from 'typebox'
import { type ChangeData, declareChanges } from '../../platform/changes.ts'
import { Nullable } from '../../platform/http/shapes.ts'
import { Caption, Language, Milestone, Stream, StreamState } from './schema.ts'

/** A client that knows a later revision ignores the change. */
const declare = <P extends TProperties>(properties: P) =>
  ({
    payload: Type.Object({ ...properties, revision: Type.Integer({ examples: [17] }) }),
    live: 'stream:read',
  }) as const
const publish = <P extends TProperties>(properties: P) => ({ ...declare(properties), webhook: true }) as const

const { id: captionId, streamId } = Caption.properties

export const streamChanges = declareChanges({
  'stream.started': publish({ stream: Stream }),
  'stream.stopped': publish({ stream: Stream }),
  'stream.updated': declare({ state: StreamState }),
  'stream.deleted': declare({ streamId }),
  'stream.panicked': declare({ held: StreamState.properties.held }),
  'stream.caption_added': declare({ caption: Caption }),
  'stream.caption_corrected': declare({ caption: Caption }),
  'stream.caption_removed': declare({ captionId, streamId }),
  'stream.captions_imported': declare({ streamId, language: Language, imported: Type.Integer() }),
  'stream.captions_cleared': declare({ streamId, language: Nullable(Language) }),
  'stream.milestone_changed': declare({ milestone: Milestone }),
  'stream.milestone_reached': publish({ milestone: Milestone }),
  'stream.milestone_removed': declare({ milestoneId: Milestone.properties.id }),
})

/** A change of the stream, without its account. */
export type StreamChange = {
  [N in keyof StreamChanges]: { type: N; subject: string; data: ChangeData<N> }
}[keyof StreamChanges]

type StreamChanges = typeof streamChanges
declare module '../../platform/changes.ts' {
  interface DeclaredChanges extends StreamChanges {}
}
