/**
 * Why a task has no output:
 * - `timeout`: it ran longer than its limit, and its thread was terminated
 * - `memory`: it needed more memory than its limit, and its thread was terminated
 * - `crash`: its thread ended by itself
 * - `failed`: its function threw; the original error is the cause
 * - `busy`: too many tasks wait already; it was not tried
 * - `closed`: the pool was closed
 */
export type WorkerErrorKind = 'timeout' | 'memory' | 'crash' | 'failed' | 'busy' | 'closed'

export class WorkerError extends Error {
  readonly kind: WorkerErrorKind

  constructor(kind: WorkerErrorKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'WorkerError'
    this.kind = kind
  }
}

type InputFault = Exclude<WorkerErrorKind, 'busy' | 'closed'>

/** The input itself is at fault, so another attempt would end in the same way. */
export const isInputFault = (error: WorkerError): error is WorkerError & { readonly kind: InputFault } =>
  error.kind !== 'busy' && error.kind !== 'closed'
