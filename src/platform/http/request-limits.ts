import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answerBrokenRequest } from './problem.ts'

/** How long a client may take to send a request. An answer may take as long as it needs. */
export interface RequestLimits {
  /** For the headers, from the first byte or the connection to the last header. */
  headersMs: number
  /** Without a byte of a body that is not complete. */
  silenceMs: number
  /** For the whole request: 25 MiB take this long at 350 kbit/s. */
  totalMs: number
  /** How often connections are checked. A limit is exceeded by this much at most. */
  checkEveryMs: number
}

export const REQUEST_LIMITS: RequestLimits = {
  headersMs: 30_000,
  silenceMs: 30_000,
  totalMs: 600_000,
  checkEveryMs: 5_000,
}

interface WatchedBody {
  response: ServerResponse
  bytesRead: number
  /** Checks since bytes arrived last. Not a time: while the process itself is suspended, no client is silent. */
  silentChecks: number
}

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Answers with 408 where no answer has begun, and closes the connection. */
const closeSilent = (socket: Socket, response: ServerResponse): void => {
  // A pipelined request has no socket before its turn to answer.
  const canAnswer = response.socket === socket && !response.headersSent
  if (!canAnswer) socket.destroy()
  else answerBrokenRequest(Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

/**
 * Closes connections whose request body stops arriving. Node limits the headers and the whole request; it does not
 * notice that a client has stopped sending in between.
 */
export const createBodyWatch = ({ silenceMs, checkEveryMs }: RequestLimits) => {
  const bodies = new Map<IncomingMessage, WatchedBody>()
  let timer: NodeJS.Timeout | undefined

  const forget = (request: IncomingMessage): void => {
    bodies.delete(request)
    if (bodies.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  const checkBody = (request: IncomingMessage, body: WatchedBody): void => {
    if (request.complete) {
      forget(request)
      return
    }
    const { bytesRead } = request.socket
    // Bytes that are here and not yet read: the service is slow, not the client.
    if (bytesRead !== body.bytesRead || request.readableLength > 0) {
      body.bytesRead = bytesRead
      body.silentChecks = 0
    } else if (++body.silentChecks * checkEveryMs > silenceMs) {
      forget(request)
      closeSilent(request.socket, body.response)
    }
  }

  const checkAll = (): void => {
    for (const [request, body] of bodies) checkBody(request, body)
  }

  return {
    watch(request: IncomingMessage, response: ServerResponse): void {
      if (request.complete || !announcesBody(request)) return
      const { bytesRead } = request.socket
      bodies.set(request, { response, bytesRead, silentChecks: 0 })
      request.once('end', () => forget(request))
      request.once('close', () => forget(request))
      timer ??= setInterval(checkAll, checkEveryMs).unref()
    },
  }
}
