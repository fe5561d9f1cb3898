import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import Type from 'typebox'
import type { Db } from '../../database/db.ts'
import { inTransaction, readingIn } from '../../database/transaction.ts'
import type { Visit } from '../../platform/access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError, conflict, forbidden } from '../../platform/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Random } from '../../platform/random.ts'
import { digest } from '../../platform/secrets/seal.ts'
import { defineTask } from '../../platform/workers/run-task.ts'
import type { WorkerPool } from '../../platform/workers/worker-pool.ts'
import { createYielder } from '../../platform/yield.ts'
import type { Activity } from './activity.ts'
import type { AuthMail, ConnectedMailboxes } from './auth-mail.ts'
import { type Attempts, networkOf } from './login-attempts.ts'
import { checkPassword, type Passwords } from './passwords.ts'
import {
  blankEntry,
  countResets,
  deleteOldResets,
  emailKeyOf,
  findReset,
  findUser,
  findUserByEmail,
  hasResets,
  insertReset,
  listKnownResets,
  lockUser,
  markWithheld,
  type User,
  updateUser,
  useReset,
  voidResets,
} from './repository.ts'
import type { Sessions } from './sessions.ts'

/*
 * The token of a reset link, and the search for it in messages. The token consists of lower-case letters and
 * digits only. Relays that rewrite links escape other characters in their own ways, and some change the case.
 */

const KEY = 'resetkey'
const REFERENCE = 'resetref'
const MARK = /^reset(key|ref)([0-9a-f]{64})$/

/** 256 random bits. */
export const createResetToken = (random: Random): string => `${KEY}${random.bytes(32).toString('hex')}`

/**
 * Formats the reference in the text of the mail. It identifies the mail even if a relay replaced the link,
 * and it reveals nothing.
 */
export const formatReference = (hash: string): string =>
  `${REFERENCE}${Buffer.from(hash, 'base64url').toString('hex')}`

const toHash = (kind: string, value: string): string =>
  kind === 'key' ? digest(`${KEY}${value}`) : Buffer.from(value, 'hex').toString('base64url')

/** Small enough to leave the event loop free. */
const WINDOW = 32 * 1024
/** Longer than a token with its marker in any supported encoding. */
const OVERLAP = 4 * 1024
const MAX_DEPTH = 3
const MAX_FOUND = 1_000
/** The shortest base64 text that can contain a token. */
const MIN_BASE64_LENGTH = 96
/**
 * In a run up to this length, the base64 text may begin at any character. An example is the path of a link.
 */
const SHORT_RUN = 1024
const MAX_TAG_LENGTH = 1_000

const LF = 0x0a
const CR = 0x0d
const HASH = 0x23
const PERCENT = 0x25
const AMPERSAND = 0x26
const LESS = 0x3c
const EQUALS = 0x3d
const GREATER = 0x3e
const MARKER = Buffer.from('reset')
/** "reset", "key" or "ref", and 64 hexadecimal digits. */
const MARK_LENGTH = 72

/** Maps each byte to its lower-case letter or digit, or to 0 for bytes that may separate characters. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[a-z0-9]/i.test(String.fromCharCode(byte)) ? String.fromCharCode(byte).toLowerCase().charCodeAt(0) : 0,
)
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w+/-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
/** The value of a hexadecimal digit, or 16. */
const HEX = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? 16 : value
})

const readHex = (bytes: Buffer, at: number): number | undefined => {
  const [high, low] = [HEX[bytes[at] ?? 0] as number, HEX[bytes[at + 1] ?? 0] as number]
  return at + 1 < bytes.length && high < 16 && low < 16 ? high * 16 + low : undefined
}

/** Reads `&#114;` or `&#x72;`, with its length. */
const readReference = (bytes: Buffer, at: number): { code: number; length: number } | undefined => {
  if (bytes[at + 1] !== HASH) return undefined
  const [text, hex, decimal] =
    /^&#(?:x([0-9a-f]{1,4})|(\d{1,5}));?/i.exec(bytes.toString('latin1', at, at + 10)) ?? []
  if (text === undefined) return undefined
  return { code: hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), length: text.length }
}

/**
 * Decodes quoted-printable (RFC 2045, 6.7), percent-encoding and numeric character references in one pass.
 */
const decodeEscapes = (bytes: Buffer): Buffer => {
  if (!bytes.includes(EQUALS) && !bytes.includes(PERCENT) && !bytes.includes('&#')) return bytes
  const decoded = Buffer.allocUnsafe(bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === EQUALS || byte === PERCENT) {
      const value = readHex(bytes, at + 1)
      if (value !== undefined) {
        decoded[size++] = value
        at += 2
        continue
      }
      if (byte === EQUALS && bytes[at + 1] === LF) {
        at += 1
        continue
      }
      if (byte === EQUALS && bytes[at + 1] === CR && bytes[at + 2] === LF) {
        at += 2
        continue
      }
    } else if (byte === AMPERSAND) {
      const reference = readReference(bytes, at)
      if (reference) {
        decoded[size++] = reference.code
        at += reference.length - 1
        continue
      }
    }
    decoded[size++] = byte
  }
  return decoded.subarray(0, size)
}

const removeTags = (bytes: Buffer): Buffer => {
  if (!bytes.includes(LESS) || !bytes.includes(GREATER)) return bytes
  const kept = Buffer.allocUnsafe(bytes.length)
  let size = 0
  /** The index in `kept` at which the open tag began. */
  let open = -1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === LESS) open = size
    kept[size++] = byte
    if (open < 0) continue
    if (size - open > MAX_TAG_LENGTH) open = -1
    else if (byte === GREATER) {
      size = open
      open = -1
    }
  }
  return kept.subarray(0, size)
}

/**
 * Collects tokens. Line breaks, quotation marks, soft hyphens and the zero bytes of UTF-16 may occur anywhere
 * in a token.
 */
const collect = (bytes: Buffer, found: Set<string>): void => {
  const plain = Buffer.allocUnsafe(bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; at++) {
    const character = PLAIN[bytes[at] as number] as number
    if (character !== 0) plain[size++] = character
  }
  const text = plain.subarray(0, size)
  for (let at = text.indexOf(MARKER); at >= 0; at = text.indexOf(MARKER, at + MARKER.length)) {
    const [, kind, value] = MARK.exec(text.toString('latin1', at, at + MARK_LENGTH)) ?? []
    if (kind === undefined || value === undefined) continue
    if (found.size >= MAX_FOUND) return
    found.add(toHash(kind, value))
  }
}

/** Yields runs of base64 text, across line breaks. */
const base64Runs = function* (bytes: Buffer): Generator<{ start: number; end: number }> {
  let start = -1
  for (let at = 0; at <= bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== undefined && IS_BASE64[byte] === 1) {
      if (start < 0) start = at
      continue
    }
    if (start < 0) continue
    const next = byte === CR && bytes[at + 1] === LF ? at + 2 : byte === LF ? at + 1 : -1
    if (next >= 0 && IS_BASE64[bytes[next] ?? 0] === 1) {
      at = next - 1
      continue
    }
    if (at - start >= MIN_BASE64_LENGTH) yield { start, end: at }
    start = -1
  }
}

const scan = (bytes: Buffer, depth: number, isCut: boolean, found: Set<string>): void => {
  collect(bytes, found)
  const decoded = decodeEscapes(bytes)
  if (decoded !== bytes) collect(decoded, found)
  const untagged = removeTags(decoded)
  if (untagged !== decoded) collect(untagged, found)
  if (depth === MAX_DEPTH) return
  for (const { start, end } of base64Runs(decoded)) {
    const beginnings = end - start <= SHORT_RUN || (isCut && start === 0) ? 4 : 1
    for (let offset = 0; offset < beginnings; offset++)
      scan(Buffer.from(decoded.toString('latin1', start + offset, end), 'base64'), depth + 1, false, found)
  }
}

/** Returns the end of the last line in the window, or the end of the window without a line end. */
const findCut = (content: Buffer, start: number): number => {
  const end = start + WINDOW
  if (end >= content.length) return content.length
  const lineEnd = content.subarray(start, end).lastIndexOf(LF)
  return lineEnd > OVERLAP ? start + lineEnd + 1 : end
}

/**
 * Returns the hashes of all candidates for a reset token or its reference. The search works on the bytes, not
 * on the MIME structure. It therefore covers forwarded, bounced, mislabelled and malformed messages too.
 */
export const findResetHashes = async (bytes: Uint8Array): Promise<string[]> => {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Set<string>()
  const yieldIfNeeded = createYielder()
  for (let start = 0; start < content.length; ) {
    const cut = findCut(content, start)
    const isCut = start > 0 && content[start - 1] !== LF
    // Windows overlap, so that a token across a boundary is complete in one of them.
    scan(content.subarray(start, Math.min(content.length, cut + OVERLAP)), 0, isCut, found)
    start = cut
    await yieldIfNeeded()
  }
  return [...found]
}

/** The entry point for the worker thread. */
export const findResetHashesIn = ({ content }: { content: Uint8Array }): Promise<string[]> =>
  findResetHashes(content)

export const RESET_VALID_MS = 30 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_PER_HOUR = 3
const JOB = 'password.reset'
/** The longest time that a confirmation waits for the sync of the mailbox that received the link. */
const SYNC_WAIT_MS = 5_000
const SYNC_POLL_MS = 200

export interface PasswordResetDeps {
  db: Db
  clock: Clock
  random: Random
  jobs: Jobs
  activity: Activity
  attempts: Attempts
  passwords: Passwords
  sessions: Sessions
  authMail: AuthMail
  mailboxes: ConnectedMailboxes
  /** The base of the link. It never comes from a request, because an attacker controls the Host header. */
  publicUrl: string | null
}

const composeMail = (user: User, link: string, hash: string) => ({
  id: hash,
  to: { name: user.name, address: user.email },
  subject: 'Choose a new password',
  text: [
    `Hello ${user.name},`,
    '',
    'Somebody, probably you, asked for a new password for your Factotum account.',
    'To choose one, open this link within 30 minutes, in the browser in which you asked for it:',
    '',
    link,
    '',
    'If it was not you, ignore this message. Your password has not changed.',
    '',
    `Reference: ${formatReference(hash)}`,
    '',
  ].join('\n'),
})

const invalidToken = () =>
  new AppError(
    'unauthenticated',
    'invalid_reset_token',
    'This link was used already or is older than 30 minutes. Request a new link.',
  )

const otherBrowser = () =>
  forbidden(
    'This link works only in the browser that requested it. Open it there, or request a new link in this browser.',
    'reset_other_browser',
  )

const notSeen = (address: string) =>
  conflict(
    `The mail with this link has not been seen in ${address}, which is connected here, so the link is not accepted yet. Wait until the mailbox is synced and try again. If the mail is in the junk folder, move it to the inbox. Otherwise the operator can set a new password: factotum user password EMAIL`,
    'reset_mail_not_seen',
  )

export type PasswordReset = ReturnType<typeof createPasswordReset>

/** Lets the person who reads the mail of an account set a new password. The second factor stays enabled. */
export const createPasswordReset = (deps: PasswordResetDeps) => {
  const { db, clock, random, jobs, activity, attempts, passwords, sessions, authMail, mailboxes } = deps
  const instantIn = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

  /** Creates the token, stores its hash and mails the link. A retry of the job sends another token. */
  const sendLink = async (email: string, browserHash: string, signal: AbortSignal): Promise<void> => {
    const user = await findUserByEmail(db, email)
    if (!user || deps.publicUrl === null) return
    const token = createResetToken(random)
    const hash = digest(token)
    const isWritten = await inTransaction(db, async (tx) => {
      // The lock serializes two requests. Otherwise both would count the same two earlier resets.
      await lockUser(tx, user.id)
      if ((await countResets(tx, user.id, instantIn(-HOUR_MS))) >= MAX_PER_HOUR) return false
      await insertReset(tx, {
        hash,
        userId: user.id,
        createdAt: instantIn(0),
        expiresAt: instantIn(RESET_VALID_MS),
        usedAt: null,
        browserHash,
        withheldAt: null,
      })
      return true
    })
    if (!isWritten) return
    // The token is in the fragment, so that no server log and no Referer header contains it.
    const link = `${deps.publicUrl}/reset-password#${token}`
    await authMail.send(composeMail(user, link, hash), signal)
  }

  jobs.define({
    name: JOB,
    // Jobs queued by older versions have no `browserHash`. Their links could not be used.
    payload: Type.Object({ email: Type.String(), browserHash: Type.Optional(Type.String()) }),
    retries: 2,
    run: async ({ email, browserHash }, { signal }) => {
      if (browserHash !== undefined) await sendLink(email, browserHash, signal)
    },
  })

  /**
   * Accepts a link that was sent to a synced mailbox only after the sync has withheld its mail. A relay may
   * have changed the mail beyond recognition. A token with access to mail could then take over the account.
   */
  const requireWithheld = async (hash: string, userId: number): Promise<void> => {
    const isWithheld = async () => (await findReset(db, hash, instantIn(0)))?.withheldAt !== null
    const user = await findUser(db, userId)
    const mailbox = user && (await mailboxes.findSynced(user.email))
    if (!mailbox || (await isWithheld())) return
    await mailboxes.requestSync(mailbox.accountId)
    for (let waited = 0; waited < SYNC_WAIT_MS; waited += SYNC_POLL_MS) {
      await wait(SYNC_POLL_MS)
      if (await isWithheld()) return
    }
    throw notSeen(mailbox.address)
  }

  return {
    /**
     * Does the same work for every address before it responds, so that the response does not reveal which
     * accounts exist.
     */
    async ask(email: string, browser: string, visit: Visit): Promise<void> {
      if (deps.publicUrl === null || !(await authMail.isReady()))
        throw conflict(
          'This instance has no mail server. Ask its operator to set a new password: factotum user password EMAIL',
          'not_configured',
        )
      await attempts.spend('reset', networkOf(visit.ip))
      await inTransaction(db, (tx) => jobs.enqueue(tx, JOB, { email, browserHash: digest(browser) }))
    },

    /** Sets the password and ends every session, so that anyone with the old password is signed out. */
    async confirm(
      input: { token: string; password: string; browser: string | undefined },
      visit: Visit,
    ): Promise<void> {
      checkPassword('password', input.password)
      const hash = digest(input.token)
      const reset = await findReset(db, hash, instantIn(0))
      if (!reset) throw invalidToken()
      // A wrong browser does not use up the link, because programs that scan mail open links too.
      if (input.browser === undefined || reset.browserHash !== digest(input.browser)) throw otherBrowser()
      await requireWithheld(hash, reset.userId)
      const passwordHash = await passwords.hash(input.password)
      await inTransaction(db, async (tx) => {
        const userId = await useReset(tx, hash, instantIn(0))
        if (userId === undefined) throw invalidToken()
        const user = await lockUser(tx, userId)
        await updateUser(tx, user, { passwordHash }, instantIn(0))
        await voidResets(tx, userId, instantIn(0))
        await activity.record(tx, userId, visit, 'password.reset')
        await sessions.revokeOthers(userId, null, visit)
      })
    },

    prune: (): Promise<void> => deleteOldResets(db, instantIn(-DAY_MS)),
  }
}

const SEARCH_TASK = defineTask<{ content: Uint8Array }, string[]>(
  new URL('./reset-token.ts', import.meta.url),
  'findResetHashesIn',
)
/** Small enough to search on this thread. */
const SMALL_MESSAGE = 64 * 1024
const SEARCH_TIMEOUT_MS = 30_000

/** Falls back to this thread if the worker fails, because no message may skip the search. */
const searchInWorker = async (workers: WorkerPool, content: Buffer): Promise<string[]> => {
  if (content.length <= SMALL_MESSAGE) return findResetHashes(content)
  const options = { timeoutMs: SEARCH_TIMEOUT_MS, copied: 'content' }
  return workers.run(SEARCH_TASK, { content }, options).catch(() => findResetHashes(content))
}

/** Finds reset links in messages. Expired links stay known for a day, until they are pruned. */
export const createResetSearch = (deps: { db: Db; clock: Clock; workers: WorkerPool }) => {
  const { db, clock, workers } = deps
  const now = (): Date => clock.now()
  return {
    /** Returns the hashes of the reset links in a message. Skips the search while no resets exist. */
    async find(content: Buffer): Promise<string[]> {
      const since = new Date(now().getTime() - DAY_MS).toISOString()
      if (!(await hasResets(readingIn(db), since))) return []
      return listKnownResets(readingIn(db), await searchInWorker(workers, content))
    },

    markWithheld: (hashes: readonly string[], accountId: string): Promise<void> =>
      inTransaction(db, (tx) => markWithheld(tx, hashes, accountId, now().toISOString())),
  }
}

export type ResetSearch = ReturnType<typeof createResetSearch>

/**
 * Removes the traces of an address in other people's data: invitations to it, and attempts to sign in with
 * it.
 */
export const forgetAddress = async (tx: Db, email: string): Promise<void> => {
  const key = emailKeyOf(email)
  await tx.deleteFrom('invitations').where('email', '=', key).execute()
  await tx
    .deleteFrom('attempts')
    .where((row) =>
      row.or([
        row('subject', '=', key),
        row(sql`substr(subject, 1, ${sql.lit(key.length + 1)})`, '=', `${key} `),
      ]),
    )
    .execute()
  // The log keeps the invitation and its date, but not who was invited.
  const invited = await tx
    .selectFrom('activity')
    .select(['id', 'details'])
    .where('action', '=', 'invitation.created')
    .execute()
  for (const { id, details } of invited) {
    const { email: whom } = JSON.parse(details) as { email?: string | null }
    if (typeof whom === 'string' && emailKeyOf(whom) === key) await blankEntry(tx, id)
  }
}
