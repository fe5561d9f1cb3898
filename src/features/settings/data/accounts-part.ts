import { Readable } from 'node:stream'
import type { Db } from '../../../database/db.ts'
import { everyRow } from '../../../database/every-row.ts'
import { blankActivity } from '../../auth/activity-store.ts'
import { profileOf } from '../../auth/profile-view.ts'
import { emailKeyOf, findOwner, getUser, insertUser } from '../../auth/user-store.ts'
import { DEFAULT_WORKING_HOURS } from '../../auth/working-hours.ts'
import type { DataPart, Sample } from './parts.ts'

export const SAMPLE_EMAIL = 'robin@sample.example'

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
const EXTENSIONS: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

const DAY_MS = 86_400_000
/** A believable week of an account: days ago, hour, what was done. */
const SAMPLE_WEEK: readonly [number, number, string, Record<string, unknown>][] = [
  [6, 8, 'account.registered', {}],
  [6, 8, 'session.started', {}],
  [6, 9, 'preferences.changed', { fields: ['timezone', 'workingHours'] }],
  [4, 14, 'token.created', { name: 'Calendar sync on the NAS', scopes: ['calendar:read'] }],
  [3, 7, 'session.started', {}],
  [2, 18, 'profile.changed', { fields: ['name'] }],
  [1, 7, 'session.started', {}],
]

const listTokens = (view: Db, userId: number) =>
  view
    .selectFrom('access_tokens')
    .select(['id', 'name', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute()

const readActivity = (view: Db, userId: number) =>
  everyRow<{ id: number; at: string; action: string; ip: string; userAgent: string; details: string }>((after, limit) =>
    view
      .selectFrom('activity')
      .select(['id', 'at', 'action', 'ip', 'userAgent', 'details'])
      .where('userId', '=', userId)
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )

async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

const fillSample = async (tx: Db, { now, passwordHash, mark }: Sample): Promise<void> => {
  const at = (daysAgo: number, hour: number): string => {
    const day = new Date(now.getTime() - daysAgo * DAY_MS)
    day.setUTCHours(hour, 12, 0, 0)
    return day.toISOString()
  }
  const owner = await findOwner(tx)
  const user = await insertUser(tx, {
    email: SAMPLE_EMAIL,
    emailKey: emailKeyOf(SAMPLE_EMAIL),
    name: 'Robin Sample',
    passwordHash,
    role: owner ? 'member' : 'owner',
    timezone: 'Europe/Berlin',
    locale: 'en-GB',
    weekStart: 'monday',
    workingHours: JSON.stringify(DEFAULT_WORKING_HOURS),
    avatarHash: null,
    twoFactorSecret: null,
    twoFactorEnabledAt: null,
    twoFactorStep: null,
    version: 1,
    createdAt: at(6, 8),
    updatedAt: at(2, 18),
  })
  await mark('user', user.id)
  const visit = { ip: '127.0.0.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' }
  for (const [daysAgo, hour, action, details] of SAMPLE_WEEK)
    await tx
      .insertInto('activity')
      .values({ userId: user.id, at: at(daysAgo, hour), action, ...visit, details: JSON.stringify(details) })
      .execute()
}

/** Ownership passes to whoever has been here longest. */
const passOwnership = async (tx: Db): Promise<void> => {
  if (await findOwner(tx)) return
  const heir = await tx.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirst()
  if (heir) await tx.updateTable('users').set({ role: 'owner' }).where('id', '=', heir.id).execute()
}

export const accountsPart: DataPart = {
  async addToExport(zip, view, userId) {
    const user = await getUser(view, userId)
    const { version: _, avatarUrl: __, ...profile } = profileOf(user)
    const { locale, weekStart, updatedAt } = user
    const workingHours: unknown = JSON.parse(user.workingHours)
    zip.addBuffer(json({ ...profile, locale, weekStart, workingHours, updatedAt }), 'account/profile.json')
    const tokens = (await listTokens(view, userId)).map((token) => ({ ...token, scopes: JSON.parse(token.scopes) }))
    zip.addBuffer(json(tokens), 'account/tokens.json')
    const avatar = await view.selectFrom('avatars').selectAll().where('userId', '=', userId).executeTakeFirst()
    if (avatar)
      zip.addBuffer(Buffer.from(avatar.content, 'base64'), `account/avatar.${EXTENSIONS[avatar.contentType] ?? 'bin'}`)
    const activity = Readable.from(
      jsonLines(
        (async function* () {
          for await (const row of readActivity(view, userId))
            yield { ...row, details: JSON.parse(row.details) as unknown }
        })(),
      ),
    )
    zip.addReadStream(activity, 'account/activity.jsonl')
  },

  async wipe(tx) {
    for (const table of ['users', 'attempts', 'idempotency_keys', 'changes', 'samples'] as const)
      await tx.deleteFrom(table).execute()
  },

  fillSample,

  async removeSample(tx, marked) {
    const ids = (await marked('user')).map(Number)
    if (ids.length === 0) return
    for (const id of ids) await blankActivity(tx, id)
    await tx.deleteFrom('users').where('id', 'in', ids).execute()
    await passOwnership(tx)
  },
}
