import helmet from 'helmet'

/** What Helmet would set on an answer, asked once: the values never change, so no request has to pay for them. */
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
    // A message is shown in a frame made by the page (srcdoc), which inherits this policy before its own narrows it:
    // mail is styled by attributes, and its pictures lie elsewhere. The frame loads them only when it is asked to.
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
}
const DATA_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
  },
}

/** What says nothing about an answer that no browser shows as a page. */
const ABOUT_PAGES_ALONE = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const

export interface SecurityHeaders {
  forPages: Record<string, string>
  forData: Record<string, string>
  forSecrets: Record<string, string>
}

/** Pages may load what is ours and nothing else; data may load nothing at all; secrets are kept by nobody. */
export const createSecurityHeaders = (options: { https: boolean }): SecurityHeaders => {
  const shared = {
    referrerPolicy: { policy: 'no-referrer' as const },
    strictTransportSecurity: options.https
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : (false as const),
  }
  const forData = askHelmet({ ...shared, ...ABOUT_PAGES_ALONE, contentSecurityPolicy: DATA_POLICY })
  return {
    forPages: askHelmet({ ...shared, contentSecurityPolicy: PAGE_POLICY }),
    forData: { ...forData, 'cache-control': 'private, no-cache' },
    forSecrets: { ...forData, 'cache-control': 'no-store' },
  }
}
