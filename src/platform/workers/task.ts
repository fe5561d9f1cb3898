import type { AppError } from '../errors.ts'

/** A function that a worker thread can run: `export` named `name` of the module at `module`. */
export interface Task<Input, Output> {
  readonly module: string
  readonly name: string
  /** Never set: it only carries the types. */
  readonly types?: (input: Input) => Output
}

/** What a task's module exports: a function without side effects. Its input and output are cloned or transferred. */
export type TaskFunction<Input, Output> = (input: Input) => Output | Promise<Output>

/**
 * Names a task. The module is loaded in the thread, so it must not need anything that `app.ts` builds.
 *
 * @example defineTask<ParseInput, ParseOutput>(new URL('./parser.ts', import.meta.url), 'parseFile')
 */
export const defineTask = <Input, Output>(module: URL, name: string): Task<Input, Output> => ({
  module: module.href,
  name,
})

/** What the pool sends to a thread. */
export interface TaskRequest {
  module: string
  name: string
  input: unknown
}

/** What a thread sends back: `started` once the module is loaded, then the result. */
export type TaskReply =
  | { kind: 'started' }
  | { kind: 'output'; output: unknown }
  | { kind: 'error'; message: string; error: unknown }
  /** An `AppError`: cloning would make a plain error of it. */
  | { kind: 'rejection'; rejection: Pick<AppError, 'kind' | 'code' | 'message' | 'details'> }
