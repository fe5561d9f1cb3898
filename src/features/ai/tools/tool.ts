import type { Static, TSchema } from 'typebox'
import type { Caller, Scope } from '../../../platform/access/caller.ts'
import type { Language } from './proposals.ts'

/** `read` looks, `write` does what can be taken back, `confirm` waits for a person first. */
export type Effect = 'read' | 'write' | 'confirm'

/** Who calls a tool, and where what it finds goes. */
export interface ToolUse {
  caller: Caller
  /** Whether it goes to a language model: then private mail stays where it is. */
  leaves: boolean
  /** In which language the person is asked; English where nobody can tell. */
  language?: Language
  /** The person has confirmed exactly this call. */
  isConfirmed?: true
}

/** The thing that is acted on, in the version that was seen. */
export interface About {
  kind: 'task' | 'event' | 'email'
  id: number
  version: number
}

export interface Outcome {
  result: unknown
  /** Its entry in the journal. */
  undoId?: number
  /** The e-mails whose text is in the result, or that what it tells of was made from. */
  emails?: readonly number[]
  /** Something in it may go to no model. */
  isPrivate?: boolean
}

export interface Tool<S extends TSchema = TSchema> {
  name: string
  description: string
  effect: Effect
  /** What a personal access token must be allowed for it. */
  scope: Scope
  input: S
  /** Whether this call of a `write` tool waits for the person, because it reaches somebody else. */
  needsConfirmation?(input: Static<S>, use: ToolUse): Promise<boolean>
  /** What will be done, for the person who is asked; throws when it cannot be. */
  propose?(input: Static<S>, use: ToolUse): Promise<{ summary: string; about: About | null }>
  run(input: Static<S>, use: ToolUse): Promise<Outcome>
}

export const defineTool = <S extends TSchema>(tool: Tool<S>): Tool => tool as unknown as Tool
