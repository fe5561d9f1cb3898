import type { Acted } from './acting.ts'

/** What the built-in engine did with a message, and says to it. */
export interface Interpreted {
  reply: string
  actions: readonly Acted[]
}

/** Understands a message without a model. Undefined for what it does not understand. */
export type Interpreter = (
  message: string,
  act: (tool: string, input: unknown) => Promise<Acted>,
) => Promise<Interpreted | undefined>
