import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'
import { answerBrokenRequest } from './problem.ts'

/** Limits the time that a client may take to send a request. The response has no limit. */
export interface RequestLimits {
  /** Time from the first byte, or the connection, to the last header. */
  headersMs: number
  /** Time without a byte of an incomplete body. */
  silenceMs: number
  /** Time for a body of any size, on top of one second for each KiB. The time of a busy server does not count. */
  slowMs: number
  /** Time for the whole request: 25 MiB take this long at 350 kbit/s. */
  totalMs: number
  /** Interval of the checks. A limit is exceeded by this much at most. */
  checkEveryMs: number
}

export const REQUEST_LIMITS: RequestLimits = {
  headersMs: 30_000,
  silenceMs: 30_000,
  slowMs: 60_000,
  totalMs: 600_000,
  checkEveryMs: 5_000,
}

interface WatchedBody {
  response: ServerResponse
  bytesRead: number
  /** `bytesRead` of the connection before the body. */
  bytesBefore: number
  /** Number of checks at which the server waited for the client. */
  waitingChecks: number
  /**
   * Number of checks since the last byte arrived. It is not a time, because no client is silent while the
   * process is suspended.
   */
  silentChecks: number
}

const MIN_BYTES_PER_SECOND = 1024

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Answers 408 if no response has started, and closes the connection. */
const closeSilent = (socket: Socket, response: ServerResponse): void => {
  // A pipelined request has no socket until its turn.
  const canAnswer = response.socket === socket && !response.headersSent
  if (!canAnswer) socket.destroy()
  else answerBrokenRequest(Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
}

/**
 * Closes connections whose request body stops arriving or drips. Node limits the time of the headers and of the
 * whole request, but not the silence in between, and the whole request may be a large file.
 */
export const createBodyWatch = ({ silenceMs, slowMs, checkEveryMs }: RequestLimits) => {
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
    const allowedMs = slowMs + ((bytesRead - body.bytesBefore) / MIN_BYTES_PER_SECOND) * 1000
    if (request.readableLength === 0 && ++body.waitingChecks * checkEveryMs > allowedMs) {
      forget(request)
      closeSilent(request.socket, body.response)
      return
    }
    // Bytes have arrived that are not yet read: the server is slow, not the client.
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
      bodies.set(request, { response, bytesRead, bytesBefore: bytesRead, waitingChecks: 0, silentChecks: 0 })
      request.once('end', () => forget(request))
      request.once('close', () => forget(request))
      timer ??= setInterval(checkAll, checkEveryMs).unref()
    },
  }
}

/** Returns a signal that aborts when the client disconnects before the response is complete. */
export const whileConnected = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The client has disconnected.'))
  })
  return controller.signal
}
