import type { Engine } from '../../src/database/database.ts'
import { moveBossClock } from './boss-clock.ts'
import { eventually } from './eventually.ts'
import { type Instance, type InstanceOptions, startInstance } from './instance.ts'
import { accountBody, newAddress } from './mail-servers.ts'
import { type Person, register } from './people.ts'

export interface Email {
  id: number
  accountId: string | null
  messageId: string | null
  subject: string
  folder: string
  read: boolean
  starred: boolean
  delivery?: { status: string; error: string | null } | null
}

/** Starts an instance that syncs mail accounts, with its owner. */
export const openMailFixture = async (engine: Engine, options: InstanceOptions = {}) => {
  const instance: Instance = await startInstance({ engine, ...options })
  const person: Person = await register(instance)
  instance.app.syncing.start()
  const base = '/api/settings/mail-accounts'
  let aheadMs = 0

  const fixture = {
    instance,
    person,
    async addAccount(
      address = newAddress(),
      input: Record<string, unknown> = {},
    ): Promise<{ id: string; address: string }> {
      const added = await instance.post(base, { ...accountBody(address), ...input }, person)
      if (added.status !== 201) throw new Error(JSON.stringify(added.body))
      return { id: added.body.id, address }
    },
    account: async (id: string) => (await instance.get(`${base}/${id}`, person)).body,
    sync: (id: string) => instance.post(`${base}/${id}/sync`, undefined, person),
    /** Requests a sync, and waits until it is complete. */
    async settle(id: string): Promise<void> {
      await fixture.sync(id)
      await eventually(async () => {
        const { requestedAt, status } = await instance.database.db
          .selectFrom('mail_sync')
          .select(['requestedAt', 'status'])
          .where('accountId', '=', id)
          .executeTakeFirstOrThrow()
        return requestedAt === null && status === 'live'
      })
    },
    async live(id: string): Promise<void> {
      await eventually(async () => (await fixture.account(id)).sync.status === 'live')
    },
    async emails(accountId: string): Promise<Email[]> {
      const found: Email[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: { body: { emails: Email[]; nextCursor: string | null } } = await instance.get(
          `/api/emails?limit=200${cursor && `&cursor=${cursor}`}`,
        )
        found.push(...body.emails)
        cursor = body.nextCursor
      }
      return found.filter((email) => email.accountId === accountId)
    },
    subjects: async (accountId: string): Promise<string[]> =>
      (await fixture.emails(accountId)).map(({ subject }) => subject).toSorted(),
    /** Advances the clock of the instance and of the database that stores its jobs. */
    async advanceClock(ms: number): Promise<void> {
      aheadMs += ms
      instance.clock.advance(ms)
      if (engine === 'postgres') await moveBossClock(instance.database.db, aheadMs)
    },
    /** Sending can be undone for ten seconds. */
    passUndoDelay: (): Promise<void> => fixture.advanceClock(11_000),
    change: (id: number, input: Record<string, unknown>) =>
      instance.call('PATCH', `/api/emails/${id}`, { body: input }),
    close: () => instance.close(),
  }
  return fixture
}

export type MailFixture = Awaited<ReturnType<typeof openMailFixture>>
