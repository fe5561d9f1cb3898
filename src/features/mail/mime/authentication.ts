import { fieldsNamed, type HeaderField, replaceComments } from './header-fields.ts'

const MAX_FIELD_LENGTH = 20_000

const parseTags = (field: string): Map<string, string> =>
  new Map(
    field.split(';').map((tag): [string, string] => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim().toLowerCase(), value.join('=').replace(/\s+/g, '').toLowerCase()]
    }),
  )

/**
 * Results of the receiving server (RFC 8601), one method per entry, in lower case. That server adds its field
 * at the top and removes fields that use its name. Fields with other names below may be forged.
 */
export const authenticationResults = (fields: readonly HeaderField[]): string[] => {
  const results = fieldsNamed(fields, 'authentication-results').map((field) =>
    replaceComments(field.slice(0, MAX_FIELD_LENGTH)).toLowerCase().split(';'),
  )
  const serverName = ([words = '']: string[]): string | undefined => words.trim().split(/\s/, 1)[0]
  return results
    .filter((result) => serverName(result) === serverName(results[0] as string[]))
    .flatMap((result) => result.slice(1))
}

/** The domains whose DKIM signatures the receiving server verified. */
const listDkimDomains = (fields: readonly HeaderField[]): string[] =>
  authenticationResults(fields)
    .filter((result) => /^\s*dkim\s*=\s*pass(?:\s|$)/.test(result))
    .flatMap((result) => [...result.matchAll(/\sheader\.[di]\s*=\s*"?([^\s"]{1,300})/g)])
    .map(([, identity]) => (identity as string).split('@').at(-1) as string)

/** Whether one verified DKIM signature covers all of these fields. */
export const areSigned = (fields: readonly HeaderField[], names: readonly string[]): boolean => {
  const verifiedDomains = listDkimDomains(fields)
  return fieldsNamed(fields, 'dkim-signature').some((field) => {
    const tags = parseTags(field.slice(0, MAX_FIELD_LENGTH))
    const signed = tags.get('h')?.split(':') ?? []
    const signer = tags.get('d') ?? ''
    return (
      names.every((name) => signed.includes(name)) &&
      verifiedDomains.some((domain) => domain === signer || domain.endsWith(`.${signer}`))
    )
  })
}

/** `unknown`: the receiving server wrote no result about the sender. */
export type Authentication = 'passed' | 'failed' | 'unknown'

const FAILED = /^(?:fail|hardfail|softfail|permerror|policy)$/

interface MethodResult {
  method: string
  result: string
  /** The domains that the method checked. */
  domains: string[]
}

const readResult = (text: string): MethodResult | undefined => {
  const [, method, result] =
    /^\s*([a-z-]{1,40})\s*(?:\/\s*\d+\s*)?=\s*([a-z]{1,40})(?![a-z])/.exec(text) ?? []
  if (method === undefined || result === undefined) return undefined
  const domains = [...text.matchAll(/\s(?:header\.[di]|smtp\.mailfrom)\s*=\s*"?([^\s"]{1,300})/g)].map(
    ([, identity]) => (identity as string).split('@').at(-1) as string,
  )
  return { method, result, domains }
}

/** Relaxed alignment (RFC 7489, section 3.1), without a public suffix list. */
const isAligned = (domain: string, author: string): boolean =>
  domain === author || author.endsWith(`.${domain}`) || domain.endsWith(`.${author}`)

/**
 * Whether the receiving server authenticated the `From` address (RFC 8601). A DMARC result decides. Otherwise
 * SPF or DKIM must pass for the domain of the address. A failure without any pass counts as failed.
 */
export const readAuthentication = (fields: readonly HeaderField[], from: string): Authentication => {
  const author = from.split('@').at(-1)?.toLowerCase() ?? ''
  const results = authenticationResults(fields).flatMap((text) => readResult(text) ?? [])
  const dmarc = results.filter(({ method }) => method === 'dmarc').map(({ result }) => result)
  if (dmarc.includes('fail')) return 'failed'
  if (dmarc.includes('pass')) return 'passed'
  const checks = results.filter(({ method }) => method === 'spf' || method === 'dkim')
  const passes = checks.filter(({ result }) => result === 'pass')
  if (passes.some(({ domains }) => domains.some((domain) => isAligned(domain, author)))) return 'passed'
  return checks.some(({ result }) => FAILED.test(result)) ? 'failed' : 'unknown'
}

/** Whether the mail server marked the message as spam. */
export const isMarkedAsSpam = (fields: readonly HeaderField[]): boolean =>
  ['x-spam-flag', 'x-spam-status'].some((name) =>
    fieldsNamed(fields, name).some((value) => /^yes\b/i.test(value)),
  )
