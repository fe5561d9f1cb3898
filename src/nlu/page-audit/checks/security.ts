import type { AuditTexts } from '../locales/en.ts'
import {
  type AuditedPage,
  type Delivery,
  type Finding,
  metasNamed,
  type PageFacts,
  quoteFrom,
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

const policyFindings = (
  { html }: AuditedPage,
  { headers }: Delivery,
  facts: PageFacts,
  { contentSecurityPolicy: texts }: Texts,
): Finding[] => {
  const header = headers.get('content-security-policy') ?? ''
  const [meta] = metasNamed(facts, 'content-security-policy')
  const policy = header || (meta?.attributes.get('content') ?? '')
  const evidence = header
    ? quoteText(`content-security-policy: ${header}`)
    : meta
      ? quoteFrom(html, [meta])
      : ''
  if (policy === '') {
    const trial = headers.get('content-security-policy-report-only') ?? ''
    return [
      {
        check: 'content-security-policy',
        severity: 'medium',
        text: trial ? texts.reportOnly : texts.missing,
        evidence: trial ? quoteText(`content-security-policy-report-only: ${trial}`) : '',
        remedy: texts.remedy,
      },
    ]
  }
  const directives = directivesOf(policy)
  const scripts = directives.get('script-src') ?? directives.get('default-src') ?? ''
  const hasNonceOrHash = /'(?:nonce-|sha\d{3}-|strict-dynamic)/.test(scripts)
  if (
    (scripts.includes("'unsafe-inline'") && !hasNonceOrHash) ||
    scripts.split(' ').includes('*') ||
    scripts === ''
  )
    return [
      {
        check: 'content-security-policy',
        severity: 'low',
        text: texts.weak,
        evidence,
        remedy: texts.weakRemedy,
      },
    ]
  return []
}

const absent = (
  { headers }: Delivery,
  name: string,
  finding: Omit<Finding, 'evidence'>,
  isGood = (value: string): boolean => value !== '',
): Finding[] => {
  const value = headers.get(name) ?? ''
  return isGood(value.toLowerCase())
    ? []
    : [{ ...finding, evidence: value === '' ? '' : quoteText(`${name}: ${value}`) }]
}

const headerFindings = (page: AuditedPage, delivery: Delivery, facts: PageFacts, texts: Texts): Finding[] => {
  const policy = directivesOf(delivery.headers.get('content-security-policy') ?? '')
  const isHttps = page.url?.startsWith('https:') ?? false
  return [
    ...(isHttps
      ? absent(
          delivery,
          'strict-transport-security',
          {
            check: 'transport-security',
            severity: 'medium',
            ...texts.transportSecurity,
          },
          (value) => Number(/max-age="?(\d{1,12})/.exec(value)?.[1] ?? 0) >= HALF_A_YEAR_S,
        )
      : []),
    ...policyFindings(page, delivery, facts, texts),
    ...absent(
      delivery,
      'x-content-type-options',
      {
        check: 'content-type-options',
        severity: 'low',
        ...texts.contentTypeOptions,
      },
      (value) => value.includes('nosniff'),
    ),
    ...(policy.has('frame-ancestors')
      ? []
      : absent(
          delivery,
          'x-frame-options',
          {
            check: 'framing',
            severity: 'medium',
            ...texts.framing,
          },
          (value) => /deny|sameorigin/.test(value),
        )),
    ...absent(delivery, 'referrer-policy', {
      check: 'referrer-policy',
      severity: 'low',
      ...texts.referrerPolicy,
    }),
  ]
}

const COOKIE_PARTS = ['secure', 'httponly', 'samesite'] as const

const cookieFindings = (
  { url }: AuditedPage,
  { cookies }: Delivery,
  { cookies: texts }: Texts,
): Finding[] => {
  const isHttps = url?.startsWith('https:') ?? false
  const insecure = cookies.flatMap((cookie) => {
    const [pair = '', ...parts] = cookie.split(';').map((part) => part.trim())
    const has = new Set(parts.map((part) => part.split('=', 1)[0]?.toLowerCase()))
    const lacks = COOKIE_PARTS.filter((part) => !has.has(part) && (part !== 'secure' || isHttps))
    // Omit the value of the cookie, which may be a secret.
    return lacks.length === 0 ? [] : [{ cookieText: [pair.split('=', 1)[0], ...parts].join('; '), lacks }]
  })
  if (insecure.length === 0) return []
  return [
    {
      check: 'cookies',
      severity: insecure.some(({ lacks }) => lacks.includes('secure')) ? 'medium' : 'low',
      text: texts.text({
        cookies: insecure.length,
        attributes: [...new Set(insecure.flatMap(({ lacks }) => lacks))].join(', '),
      }),
      evidence: insecure
        .slice(0, 3)
        .map(({ cookieText }) => quoteText(`set-cookie: ${cookieText}`))
        .join('\n'),
      remedy: texts.remedy,
    },
  ]
}

const isPlain = (address: string | undefined): boolean => /^http:\/\//i.test(address?.trim() ?? '')

const contentFindings = ({ html, url }: AuditedPage, facts: PageFacts, texts: Texts): Finding[] => {
  const findings: Finding[] = []
  if (url?.startsWith('http:'))
    findings.push({
      check: 'https',
      severity: 'critical',
      text: texts.https.text,
      evidence: quoteText(url),
      remedy: texts.https.remedy,
    })
  const mixed = facts.loaded.filter(({ url: address }) => isPlain(address)).map(({ tag }) => tag)
  if (mixed.length > 0 && !url?.startsWith('http:'))
    findings.push({
      check: 'mixed-content',
      severity: 'high',
      text: texts.mixedContent.text(mixed.length),
      evidence: quoteFrom(html, mixed),
      remedy: texts.mixedContent.remedy,
    })
  const forms = facts.forms.filter(({ attributes }) => isPlain(attributes.get('action')))
  if (forms.length > 0)
    findings.push({
      check: 'insecure-forms',
      severity: 'high',
      text: texts.insecureForms.text(forms.length),
      evidence: quoteFrom(html, forms),
      remedy: texts.insecureForms.remedy,
    })
  const host = url === null ? undefined : new URL(url).host
  const foreign = facts.scripts.filter(
    ({ src, integrity }) =>
      src !== null &&
      !integrity &&
      /^(?:https?:)?\/\//i.test(src) &&
      URL.parse(src, url ?? 'https://x/')?.host !== host,
  )
  if (foreign.length > 0)
    findings.push({
      check: 'script-integrity',
      severity: 'low',
      text: texts.scriptIntegrity.text(foreign.length),
      evidence: quoteFrom(html, foreign),
      remedy: texts.scriptIntegrity.remedy,
    })
  return findings
}

export const checkSecurity = (
  page: AuditedPage,
  facts: PageFacts,
  { security: texts }: AuditTexts,
): Finding[] => [
  ...contentFindings(page, facts, texts),
  ...(page.delivery
    ? [...headerFindings(page, page.delivery, facts, texts), ...cookieFindings(page, page.delivery, texts)]
    : []),
]
