import type { AuditTexts } from '../locales/en.ts'
import {
  type AuditedPage,
  type Delivery,
  type Findings,
  metasNamed,
  type PageFacts,
  quoteText,
} from '../page.ts'

type Texts = AuditTexts['security']

const HALF_A_YEAR_S = 15_552_000

const directivesOf = (policy: string): Map<string, string> =>
  new Map(
    policy.split(';').flatMap((part): [string, string][] => {
      const [name = '', ...values] = part.trim().split(/\s+/)
      return name === '' ? [] : [[name.toLowerCase(), values.join(' ').toLowerCase()]]
    }),
  )

const checkPolicy = (
  { headers }: Delivery,
  facts: PageFacts,
  { contentSecurityPolicy: texts }: Texts,
  findings: Findings,
): void => {
  const header = headers.get('content-security-policy') ?? ''
  const tags = metasNamed(facts, 'content-security-policy').slice(0, 1)
  const policy = header || (tags[0]?.attributes.get('content') ?? '')
  const { missing, reportOnly, remedy, weak, weakRemedy } = texts
  if (policy === '') {
    const trial = headers.get('content-security-policy-report-only') ?? ''
    findings.add(
      'content-security-policy',
      'medium',
      { text: trial ? reportOnly : missing, remedy },
      trial ? quoteText(`content-security-policy-report-only: ${trial}`) : '',
    )
    return
  }
  const directives = directivesOf(policy)
  const scripts = directives.get('script-src') ?? directives.get('default-src') ?? ''
  const hasNonceOrHash = /'(?:nonce-|sha\d{3}-|strict-dynamic)/.test(scripts)
  if (
    (scripts.includes("'unsafe-inline'") && !hasNonceOrHash) ||
    scripts.split(' ').includes('*') ||
    scripts === ''
  )
    findings.add(
      'content-security-policy',
      'low',
      { text: weak, remedy: weakRemedy },
      header ? quoteText(`content-security-policy: ${header}`) : findings.quote(tags),
    )
}

const checkHeaders = (
  page: AuditedPage,
  delivery: Delivery,
  facts: PageFacts,
  texts: Texts,
  findings: Findings,
): void => {
  const require = (
    name: string,
    isGood: (value: string) => boolean,
    ...[check, severity, text]: Parameters<Findings['add']>
  ): void => {
    const value = delivery.headers.get(name) ?? ''
    if (!isGood(value.toLowerCase()))
      findings.add(check, severity, text, value === '' ? '' : quoteText(`${name}: ${value}`))
  }
  const isLongEnough = (value: string): boolean =>
    Number(/max-age="?(\d{1,12})/.exec(value)?.[1] ?? 0) >= HALF_A_YEAR_S
  if (page.url?.startsWith('https:'))
    require('strict-transport-security', isLongEnough, 'transport-security', 'medium', texts.transportSecurity)
  checkPolicy(delivery, facts, texts, findings)
  require('x-content-type-options', (value) =>
    value.includes('nosniff'), 'content-type-options', 'low', texts.contentTypeOptions)
  if (!directivesOf(delivery.headers.get('content-security-policy') ?? '').has('frame-ancestors'))
    require('x-frame-options', (value) => /deny|sameorigin/.test(value), 'framing', 'medium', texts.framing)
  require('referrer-policy', (value) => value !== '', 'referrer-policy', 'low', texts.referrerPolicy)
}

const COOKIE_PARTS = ['secure', 'httponly', 'samesite'] as const

const checkCookies = (
  { url }: AuditedPage,
  { cookies }: Delivery,
  { cookies: texts }: Texts,
  findings: Findings,
): void => {
  const isHttps = url?.startsWith('https:') ?? false
  const insecure = cookies.flatMap((cookie) => {
    const [pair = '', ...parts] = cookie.split(';').map((part) => part.trim())
    const has = new Set(parts.map((part) => part.split('=', 1)[0]?.toLowerCase()))
    const lacks = COOKIE_PARTS.filter((part) => !has.has(part) && (part !== 'secure' || isHttps))
    // Omit the value of the cookie, which may be a secret.
    return lacks.length === 0 ? [] : [{ cookieText: [pair.split('=', 1)[0], ...parts].join('; '), lacks }]
  })
  if (insecure.length === 0) return
  const lacking = new Set(insecure.flatMap(({ lacks }) => lacks))
  findings.add(
    'cookies',
    lacking.has('secure') ? 'medium' : 'low',
    { ...texts, text: texts.text({ cookies: insecure.length, attributes: [...lacking].join(', ') }) },
    insecure
      .slice(0, 3)
      .map(({ cookieText }) => quoteText(`set-cookie: ${cookieText}`))
      .join('\n'),
  )
}

const isPlain = (address: string | undefined): boolean => /^http:\/\//i.test(address?.trim() ?? '')

const checkContent = ({ url }: AuditedPage, facts: PageFacts, texts: Texts, findings: Findings): void => {
  if (url?.startsWith('http:')) findings.add('https', 'critical', texts.https, quoteText(url))
  else {
    const mixed = facts.loaded.filter((resource) => isPlain(resource.url)).map(({ tag }) => tag)
    findings.addPlaces('mixed-content', 'high', texts.mixedContent, mixed)
  }
  const forms = facts.forms.filter(({ attributes }) => isPlain(attributes.get('action')))
  findings.addPlaces('insecure-forms', 'high', texts.insecureForms, forms)
  const host = url === null ? undefined : new URL(url).host
  const foreign = facts.scripts.filter(
    ({ src, integrity }) =>
      src !== null &&
      !integrity &&
      /^(?:https?:)?\/\//i.test(src) &&
      URL.parse(src, url ?? 'https://x/')?.host !== host,
  )
  findings.addPlaces('script-integrity', 'low', texts.scriptIntegrity, foreign)
}

export const checkSecurity = (
  page: AuditedPage,
  facts: PageFacts,
  { security: texts }: AuditTexts,
  findings: Findings,
): void => {
  checkContent(page, facts, texts, findings)
  if (!page.delivery) return
  checkHeaders(page, page.delivery, facts, texts, findings)
  checkCookies(page, page.delivery, texts, findings)
}
