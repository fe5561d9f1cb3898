import { type Logger, pino } from 'pino'

export type { Logger }

/** The query string may contain a token, so only the path is logged. */
const requestFields = (request: { method: string; url: string; ip?: string }) => ({
  method: request.method,
  path: request.url.split('?', 1)[0],
})

export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: {
      req: requestFields,
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
    },
  })
