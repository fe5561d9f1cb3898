import { fieldsNamed, type HeaderField } from './header-fields.ts'
import { authenticationResults } from './signatures.ts'

/** `unknown`: the mail server that took the message in wrote no result about its sender. */
export type Authentication = 'passed' | 'failed' | 'unknown'

const FAILED = /^(?:fail|hardfail|softfail|permerror|policy)$/

interface MethodResult {
  method: string
  result: string
  /** The domains that the method is about. */
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

/** RFC 7489, 3.1: relaxed alignment, without a list of public suffixes. */
const isAligned = (domain: string, author: string): boolean =>
  domain === author || author.endsWith(`.${domain}`) || domain.endsWith(`.${author}`)

/**
 * Whether the receiving mail server found the `From` address to be genuine (RFC 8601). DMARC decides where there is a
 * result; otherwise SPF or DKIM has to pass for the domain of the address, and a failure without a pass counts.
 */
export const authenticationOf = (fields: readonly HeaderField[], from: string): Authentication => {
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
