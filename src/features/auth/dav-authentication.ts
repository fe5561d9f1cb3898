import type { FastifyRequest } from 'fastify'
import {
  covers,
  type DavAccess,
  type DavAuthentication,
  type DavCaller,
  type Scope,
} from '../../platform/access/caller.ts'
import { isForwarded, isLoopbackAddress } from '../../platform/access/origins.ts'
import { AppError, forbidden } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { hashAppPassword } from './app-passwords.ts'
import { createUseRecorder } from './credentials.ts'
import { type Attempts, networkOf } from './login-attempts.ts'
import { emailKeyOf, findAppPassword, findTokenOfUser, touchToken } from './repository.ts'
import { createIsSecure } from './sessions.ts'
import { TOKEN_PREFIX } from './tokens.ts'

interface BasicCredentials {
  username: string
  password: string
}

const MAX_USERNAME_LENGTH = 320

/** RFC 7617, 2: the first colon ends the user name. */
const readBasic = ({ headers }: FastifyRequest): BasicCredentials | undefined => {
  const [, encoded] = /^Basic +([\w+/-]+=*) *$/i.exec(headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

const toAccess = (scopes: readonly Scope[], area: 'calendar' | 'tasks' | 'mail'): DavAccess => {
  if (covers(scopes, `${area}:write`)) return 'write'
  return covers(scopes, `${area}:read`) ? 'read' : 'none'
}

const unauthorized = (message: string): AppError => new AppError('unauthenticated', 'unauthorized', message)

/**
 * Basic authentication for calendar, task and contact apps. The password of an account never works here. Nobody can
 * guess 128 random bits, so a valid password is accepted whatever has failed before.
 */
export const createDavAuthentication = (
  platform: Pick<Platform, 'db' | 'clock' | 'log'>,
  { attempts, publicUrl }: { attempts: Attempts; publicUrl: string | null },
): DavAuthentication => {
  const { db, clock } = platform
  const recordUse = createUseRecorder(platform)
  const isSecure = createIsSecure(publicUrl)

  /** Whether nobody between the app and this server can read the password. */
  const isConfidential = (request: FastifyRequest): boolean =>
    isSecure(request) || (isLoopbackAddress(request.ip) && !isForwarded(request.headers))

  const findByAppPassword = async ({ username, password }: BasicCredentials) => {
    const found = await findAppPassword(db, hashAppPassword(password))
    const name = emailKeyOf(username)
    if (!found || (name !== found.emailKey && name !== emailKeyOf(found.username))) return undefined
    recordUse(found.lastUsedAt, clock.now(), (at) => touchToken(db, 'app_passwords', found, at))
    const { id, userId, calendars, tasks, contacts, invitations } = found
    return {
      kind: 'dav',
      userId,
      access: { calendars, tasks, contacts },
      invitations,
      appPasswordId: id,
      tokenId: null,
    } as const
  }

  const findByToken = async ({ username, password }: BasicCredentials) => {
    const found = await findTokenOfUser(db, digest(password))
    const now = clock.now()
    if (!found || emailKeyOf(username) !== found.emailKey) return undefined
    if (found.expiresAt !== null && found.expiresAt <= now.toISOString()) return undefined
    recordUse(found.lastUsedAt, now, (at) => touchToken(db, 'access_tokens', found, at))
    const scopes = JSON.parse(found.scopes) as Scope[]
    return {
      kind: 'dav',
      userId: found.userId,
      access: {
        calendars: toAccess(scopes, 'calendar'),
        tasks: toAccess(scopes, 'tasks'),
        contacts: toAccess(scopes, 'mail'),
      },
      // The person confirmed no invitations when they created the token.
      invitations: 'no',
      appPasswordId: null,
      tokenId: found.id,
    } as const
  }

  /** The rate limit and the guard need the same answer. */
  const answers = new WeakMap<FastifyRequest, Promise<DavCaller | undefined>>()

  const find = async (request: FastifyRequest): Promise<DavCaller | undefined> => {
    const basic = isConfidential(request) ? readBasic(request) : undefined
    if (!basic || basic.username.length > MAX_USERNAME_LENGTH) return undefined
    return basic.password.startsWith(TOKEN_PREFIX) ? findByToken(basic) : findByAppPassword(basic)
  }

  const identify = (request: FastifyRequest): Promise<DavCaller | undefined> => {
    const answer = answers.get(request) ?? find(request)
    answers.set(request, answer)
    return answer
  }

  return {
    identify,
    async authenticate(request) {
      if (!isConfidential(request))
        throw forbidden(
          `This connection would reveal the password, so calendar and contact apps need https. ${publicUrl ?? `${request.protocol}://${request.host}`}/help/dav explains how to set it up.`,
          'https_required',
        )
      const caller = await identify(request)
      if (caller) return caller
      const basic = readBasic(request)
      if (!basic) throw unauthorized('Send the email of the account and an app password.')
      const subject = `${emailKeyOf(basic.username.slice(0, MAX_USERNAME_LENGTH))} ${networkOf(request.ip)}`
      await attempts.countFailure('app-password', subject, digest(basic.password))
      throw unauthorized(
        'The user name or the app password is incorrect. Create an app password in the settings: the password of the account does not work here.',
      )
    },
  }
}
