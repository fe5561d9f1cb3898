import { ALL_ACCOUNTS } from '../../database/all-accounts.ts'
import { randomId } from '../../platform/random.ts'
import { type Check, type Finding, type InspectedInstance, ok, warn } from './checks-instance.ts'

const ANSWER_WITHIN_MS = 5_000
const METHODS = ['PROPFIND', 'REPORT', 'MKCALENDAR', 'MKCOL', 'PROPPATCH']
const WELL_KNOWN = ['/.well-known/caldav', '/.well-known/carddav']

type Result = Omit<Finding, 'what'>

/** RFC 6764 §5: the addresses are at the root of the host, also if Factotum is below a path. */
const findMissingRedirects = async (publicUrl: string): Promise<string[]> => {
  const missing: string[] = []
  for (const path of WELL_KNOWN) {
    const { headers } = await fetch(new URL(path, publicUrl), {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    if (!/\/dav\/?$/.test(headers.get('location') ?? '')) missing.push(path)
  }
  return missing
}

/** A method that the proxy refuses has an answer of the proxy, without the request id of Factotum. */
const findBlockedMethods = async (publicUrl: string, requestId: string): Promise<string[]> => {
  const blocked: string[] = []
  for (const method of METHODS) {
    const { headers } = await fetch(`${publicUrl}/dav/`, {
      method,
      headers: { 'x-request-id': requestId },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    if (headers.get('x-request-id') === null) blocked.push(method)
  }
  return blocked
}

const inspectProxy = async ({ config, context }: InspectedInstance): Promise<Result[]> => {
  const { publicUrl } = config
  if (publicUrl === null) return []
  try {
    const blocked = await findBlockedMethods(publicUrl, `doctor-${randomId(context.random)}`)
    const missing = await findMissingRedirects(publicUrl)
    if (blocked.length + missing.length === 0)
      return [ok(`calendar and contact apps reach ${publicUrl}/dav/`)]
    return [
      ...(blocked.length > 0
        ? [warn(`the proxy does not pass ${blocked.join(', ')}`, 'allow these methods in the proxy')]
        : []),
      ...(missing.length > 0
        ? [warn(`${missing.join(' and ')} do not lead to Factotum`, 'forward /.well-known in the proxy')]
        : []),
    ]
  } catch {
    // The check of the address says what is wrong.
    return []
  }
}

/** Open access makes the passwords of apps pointless: nobody needs one. */
const inspectAccess = async ({ config, database, migration }: InspectedInstance): Promise<Result[]> => {
  if (config.access !== 'open' || config.isLocal || !database || migration?.at == null) return []
  if (migration.pending.length + migration.unknown.length > 0) return []
  const used = await database.db
    .selectFrom('app_passwords')
    .select('id')
    .limit(1)
    .modifyEnd(ALL_ACCOUNTS)
    .executeTakeFirst()
  if (!used) return []
  return [
    warn(
      'apps connect with app passwords, but ACCESS=open gives everyone in the network all data without one',
      'set ACCESS=private',
    ),
  ]
}

export const davCheck: Check = {
  what: 'DAV',
  run: async (instance) => [...(await inspectProxy(instance)), ...(await inspectAccess(instance))],
}
