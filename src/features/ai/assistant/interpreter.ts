import type { Acted } from './acting.ts'

/** Understands a message without a model, does what it says, and answers; undefined for what it does not understand. */
export type Interpreter = (
  message: string,
  act: (tool: string, input: unknown) => Promise<Acted>,
) => Promise<string | undefined>
