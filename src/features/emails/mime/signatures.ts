import { fieldsNamed, type HeaderField } from './header-fields.ts'
import { withoutComments } from './uncommented.ts'

const LONGEST_FIELD = 20_000

const tagsIn = (field: string): Map<string, string> =>
  new Map(
    field.split(';').map((tag): [string, string] => {
      const [name = '', ...value] = tag.split('=')
      return [name.trim().toLowerCase(), value.join('=').replace(/\s+/g, '').toLowerCase()]
    }),
  )

/**
 * What the server that took the message in found out about it (RFC 8601), one method each, in lower case. It writes
 * above all that was there before, and removes what others wrote in its name: what stands below under another name
 * may be anybody's.
 */
export const authenticationResults = (fields: readonly HeaderField[]): string[] => {
  const results = fieldsNamed(fields, 'authentication-results').map((field) =>
    withoutComments(field.slice(0, LONGEST_FIELD)).toLowerCase().split(';'),
  )
  const server = ([words = '']: string[]): string | undefined => words.trim().split(/\s/, 1)[0]
  return results
    .filter((result) => server(result) === server(results[0] as string[]))
    .flatMap((result) => result.slice(1))
}

/** Whose DKIM signatures that server found to be true. */
const provenDomains = (fields: readonly HeaderField[]): string[] =>
  authenticationResults(fields)
    .filter((result) => /^\s*dkim\s*=\s*pass(?:\s|$)/.test(result))
    .flatMap((result) => [...result.matchAll(/\sheader\.[di]\s*=\s*"?([^\s"]{1,300})/g)])
    .map(([, identity]) => (identity as string).split('@').at(-1) as string)

/** Whether all of these fields are signed by someone, and the signature is known to be true. */
export const areSigned = (fields: readonly HeaderField[], names: readonly string[]): boolean => {
  const proven = provenDomains(fields)
  return fieldsNamed(fields, 'dkim-signature').some((field) => {
    const tags = tagsIn(field.slice(0, LONGEST_FIELD))
    const signed = tags.get('h')?.split(':') ?? []
    const signer = tags.get('d') ?? ''
    return (
      names.every((name) => signed.includes(name)) &&
      proven.some((domain) => domain === signer || domain.endsWith(`.${signer}`))
    )
  })
}
