export interface Deadline {
  signal: AbortSignal
  /** The work, or the reason for giving it up as soon as there is one. */
  within<T>(work: Promise<T>): Promise<T>
  /** Counts the full time again from now. */
  restart(): void
  /** Stops counting; the caller's own signal still aborts. */
  pause(): void
  /** Nothing is left to wait for. */
  end(): void
  /** Ends it and drops whatever is still in flight. */
  abort(reason: Error): void
}

/** One clock over all the steps of a request, joined with the caller's signal and detached from it at the end. */
export const createDeadline = (
  timeoutMs: number,
  caller: AbortSignal | undefined,
  onTimeout: () => Error,
): Deadline => {
  const controller = new AbortController()
  const givenUp = Promise.withResolvers<never>()
  givenUp.promise.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const pause = () => clearTimeout(timer)
  const restart = () => {
    pause()
    // Unreferenced: while anything is in flight its socket keeps the process alive, and an unread answer should not.
    timer = setTimeout(() => abort(onTimeout()), timeoutMs).unref()
  }
  const end = () => {
    pause()
    caller?.removeEventListener('abort', passOn)
  }
  const abort = (reason: Error) => {
    end()
    controller.abort(reason)
    givenUp.reject(reason)
  }
  const passOn = () => abort(caller?.reason instanceof Error ? caller.reason : new Error('aborted'))

  caller?.addEventListener('abort', passOn, { once: true })
  restart()
  if (caller?.aborted) passOn()
  const within = <T>(work: Promise<T>) => Promise.race([work, givenUp.promise])
  return { signal: controller.signal, within, restart, pause, end, abort }
}
