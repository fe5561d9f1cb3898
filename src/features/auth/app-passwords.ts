import type { Db } from '../../database/db.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { DavGrants, InvitationRule, Visit } from '../../platform/access/caller.ts'
import { invalidField } from '../../platform/errors.ts'
import type { PageRequest } from '../../platform/http/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Random, randomId } from '../../platform/random.ts'
import { readByAge } from '../../platform/resources.ts'
import { digest } from '../../platform/secrets/seal.ts'
import type { Activity } from './activity.ts'
import { type AppPasswordRecord, appPasswordRows, type User } from './repository.ts'

/**
 * Lower-case letters only, because a phone switches its keyboard for digits. `l` and `o` look like digits. 28
 * characters out of 24 hold 128 bits.
 */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz'
const LENGTH = 28
const GROUP = /.{4}(?=.)/g
const BITS_IN_BYTES = 16

export const createAppPassword = (random: Random): string => {
  let rest = BigInt(`0x${random.bytes(BITS_IN_BYTES).toString('hex')}`)
  let letters = ''
  for (let count = 0; count < LENGTH; count++) {
    letters += ALPHABET[Number(rest % BigInt(ALPHABET.length))]
    rest /= BigInt(ALPHABET.length)
  }
  return letters.replace(GROUP, '$&-')
}

/** People type the password with or without its separators, and phones capitalize the first letter. */
export const hashAppPassword = (password: string): string =>
  digest(password.replace(/[\s-]+/g, '').toLowerCase())

const viewOf = ({ hash: _, userId: __, calendars, tasks, contacts, ...password }: AppPasswordRecord) => ({
  ...password,
  access: { calendars, tasks, contacts },
  extra: password.lastUsedAt,
})

export type AppPasswords = ReturnType<typeof createAppPasswords>

/** Passwords of calendar, task and contact apps. The API returns a password once and stores only its hash. */
export const createAppPasswords = ({ db, clock, random }: Platform, activity: Activity) => ({
  async create(
    tx: Db,
    user: User,
    input: { name: string; access: DavGrants; invitations: InvitationRule },
    visit: Visit,
  ) {
    const { name, access, invitations } = input
    if (Object.values(access).every((granted) => granted === 'none'))
      throw invalidField('access', 'must allow calendars, tasks or contacts')
    const password = createAppPassword(random)
    const created = await appPasswordRows.insert(tx, {
      id: randomId(random),
      userId: user.id,
      name,
      hash: hashAppPassword(password),
      username: user.email,
      calendars: access.calendars,
      tasks: access.tasks,
      contacts: access.contacts,
      invitations,
      createdAt: clock.now().toISOString(),
      lastUsedAt: null,
      version: 1,
    })
    await activity.record(tx, user.id, visit, 'app_password.created', { name, access, invitations })
    return { ...viewOf(created), password }
  },

  async list(userId: number, request: PageRequest) {
    const { page, nextCursor } = await readByAge(appPasswordRows.select(db, userId), request)
    return { appPasswords: page.map(viewOf), nextCursor }
  },

  get: async (userId: number, id: string) => viewOf(await appPasswordRows.get(db, userId, id)),

  change: (
    userId: number,
    id: string,
    change: { name?: string; invitations?: 'no' | 'ask' },
    visit: Visit,
    ifMatch: string | undefined,
  ) =>
    inTransaction(db, async (tx) => {
      const before = await appPasswordRows.getLocked(tx, userId, id, ifMatch)
      const changed = await appPasswordRows.update(tx, before, change)
      const { name, invitations } = changed
      if (invitations !== before.invitations)
        await activity.record(tx, userId, visit, 'app_password.changed', { name, invitations })
      return viewOf(changed)
    }),

  revoke: (userId: number, id: string, visit: Visit, ifMatch: string | undefined) =>
    inTransaction(db, async (tx) => {
      const { name } = await appPasswordRows.remove(tx, userId, id, ifMatch)
      await activity.record(tx, userId, visit, 'app_password.revoked', { name })
    }),
})
