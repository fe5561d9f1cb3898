import {
  type AuditedPage,
  count,
  type Delivery,
  type Finding,
  metasNamed,
  type PageFacts,
  quoteFrom,
  quoteText,
} from '../page.ts'

const HALF_A_YEAR_S = 15_552_000

const directivesOf = (policy: string): Map<string, string> =>
  new Map(
    policy.split(';').flatMap((part): [string, string][] => {
      const [name = '', ...values] = part.trim().split(/\s+/)
      return name === '' ? [] : [[name.toLowerCase(), values.join(' ').toLowerCase()]]
    }),
  )

const policyFindings = ({ html }: AuditedPage, { headers }: Delivery, facts: PageFacts): Finding[] => {
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
        text: trial
          ? 'The content security policy only reports violations.'
          : 'There is no content security policy.',
        evidence: trial ? quoteText(`content-security-policy-report-only: ${trial}`) : '',
        remedy: "Send Content-Security-Policy, at first “default-src 'self'”. It blocks injected scripts.",
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
        text: 'The content security policy does not block injected scripts.',
        evidence,
        remedy: 'List the script sources in script-src, with nonces or hashes for inline scripts.',
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

const headerFindings = (page: AuditedPage, delivery: Delivery, facts: PageFacts): Finding[] => {
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
            text: 'The site does not enforce https with Strict-Transport-Security, or not for long enough.',
            remedy: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.',
          },
          (value) => Number(/max-age="?(\d{1,12})/.exec(value)?.[1] ?? 0) >= HALF_A_YEAR_S,
        )
      : []),
    ...policyFindings(page, delivery, facts),
    ...absent(
      delivery,
      'x-content-type-options',
      {
        check: 'content-type-options',
        severity: 'low',
        text: 'Browsers may guess wrong file types (MIME sniffing).',
        remedy: 'Send X-Content-Type-Options: nosniff.',
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
            text: 'Any site may embed this page in a frame (clickjacking).',
            remedy: "Add “frame-ancestors 'self'” to the content security policy.",
          },
          (value) => /deny|sameorigin/.test(value),
        )),
    ...absent(delivery, 'referrer-policy', {
      check: 'referrer-policy',
      severity: 'low',
      text: 'The site does not limit the referrer that other sites receive.',
      remedy: 'Send Referrer-Policy: strict-origin-when-cross-origin.',
    }),
  ]
}

const COOKIE_PARTS = ['secure', 'httponly', 'samesite'] as const

const cookieFindings = ({ url }: AuditedPage, { cookies }: Delivery): Finding[] => {
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
      text: `${count(insecure.length, 'cookie is', 'cookies are')} set without ${[...new Set(insecure.flatMap(({ lacks }) => lacks))].join(', ')}.`,
      evidence: insecure
        .slice(0, 3)
        .map(({ cookieText }) => quoteText(`set-cookie: ${cookieText}`))
        .join('\n'),
      remedy: 'Set cookies with Secure, HttpOnly and SameSite, unless a script has to read them.',
    },
  ]
}

const isPlain = (address: string | undefined): boolean => /^http:\/\//i.test(address?.trim() ?? '')

const contentFindings = ({ html, url }: AuditedPage, facts: PageFacts): Finding[] => {
  const findings: Finding[] = []
  if (url?.startsWith('http:'))
    findings.push({
      check: 'https',
      severity: 'critical',
      text: 'The page is not encrypted.',
      evidence: quoteText(url),
      remedy: 'Serve the page over https and redirect http requests to it.',
    })
  const mixed = facts.loaded.filter(({ url: address }) => isPlain(address)).map(({ tag }) => tag)
  if (mixed.length > 0 && !url?.startsWith('http:'))
    findings.push({
      check: 'mixed-content',
      severity: 'high',
      text: `${count(mixed.length, 'resource is', 'resources are')} loaded over http (mixed content); browsers block them.`,
      evidence: quoteFrom(html, mixed),
      remedy: 'Load all resources over https.',
    })
  const forms = facts.forms.filter(({ attributes }) => isPlain(attributes.get('action')))
  if (forms.length > 0)
    findings.push({
      check: 'insecure-forms',
      severity: 'high',
      text: `${count(forms.length, 'form sends', 'forms send')} data without encryption.`,
      evidence: quoteFrom(html, forms),
      remedy: 'Submit forms to https URLs.',
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
      text: `${count(foreign.length, 'script is', 'scripts are')} loaded from another site without an integrity check.`,
      evidence: quoteFrom(html, foreign),
      remedy: 'Add integrity="sha384-…", or serve the script yourself.',
    })
  return findings
}

export const checkSecurity = (page: AuditedPage, facts: PageFacts): Finding[] => [
  ...contentFindings(page, facts),
  ...(page.delivery
    ? [...headerFindings(page, page.delivery, facts), ...cookieFindings(page, page.delivery)]
    : []),
]
