import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** Reads the headers that Helmet would set. They never change, so they are computed once. */
const askHelmet = (options: Parameters<typeof helmet>[0]): Record<string, string> => {
  const headers: Record<string, string> = {}
  const recorder = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => {},
  }
  helmet(options)({} as never, recorder as never, () => {})
  return headers
}

const PAGE_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    // A page displays a message in a srcdoc frame, which inherits this policy before its own policy restricts
    // it. Mail uses style attributes and remote images. The frame loads images only on request.
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
    fontSrc: ["'self'"],
    // The preview of a PDF file.
    frameSrc: ["'self'", 'blob:'],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
}
/** Scalar adds style elements at run time. No other page may. */
export const REFERENCE_POLICY = askHelmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      ...PAGE_POLICY.directives,
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
    },
  },
})['content-security-policy'] as string

/** The documentation has inline scripts, which are allowed by their hashes. */
export const createHelpPolicy = (scriptHashes: readonly string[]): string =>
  askHelmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...PAGE_POLICY.directives,
        scriptSrc: ["'self'", ...scriptHashes],
        imgSrc: ["'self'", 'data:'],
        frameSrc: ["'none'"],
      },
    },
  })['content-security-policy'] as string

const DATA_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
  },
}

/** Headers without meaning for a response that no browser renders as a page. */
const ABOUT_PAGES_ALONE = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const

/** For data that a browser could display as a document: files, errors and everything else that is not JSON. */
export const DOCUMENT_HEADERS = askHelmet({
  ...ABOUT_PAGES_ALONE,
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
  xContentTypeOptions: false,
  contentSecurityPolicy: DATA_POLICY,
})

/** With `nosniff`, no browser runs JSON, embeds it in another origin, or displays it as a page. */
export const addDocumentHeaders = (app: FastifyInstance): void => {
  const names = Object.entries(DOCUMENT_HEADERS)
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isJson =
      reply.statusCode < 400 && String(reply.getHeader('content-type')).startsWith('application/json')
    if (!isJson) for (const [name, value] of names) if (!reply.hasHeader(name)) reply.header(name, value)
    done(null, payload)
  })
}

export interface SecurityHeaders {
  forPages: Record<string, string>
  forData: Record<string, string>
  forSecrets: Record<string, string>
}

/**
 * Pages may load only resources of this origin, data may load nothing, and responses with secrets are not
 * cached.
 */
export const createSecurityHeaders = (options: { https: boolean }): SecurityHeaders => {
  const strictTransportSecurity = options.https
    ? { maxAge: 31_536_000, includeSubDomains: false }
    : (false as const)
  const forData = askHelmet({
    ...ABOUT_PAGES_ALONE,
    contentSecurityPolicy: false,
    crossOriginResourcePolicy: false,
    referrerPolicy: false,
    strictTransportSecurity,
    xFrameOptions: false,
  })
  return {
    forPages: askHelmet({
      contentSecurityPolicy: PAGE_POLICY,
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity,
    }),
    forData: { ...forData, 'cache-control': 'private, no-cache' },
    forSecrets: { ...forData, 'cache-control': 'no-store' },
  }
}
