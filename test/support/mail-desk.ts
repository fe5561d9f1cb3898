import type { Engine } from '../../src/database/database.ts'
import { moveBossClock } from './boss-clock.ts'
import { type Instance, type InstanceOptions, startInstance } from './instance.ts'
import { accountBody, eventually, newAddress } from './mail-servers.ts'
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

/** An instance that keeps mail accounts in step, and its owner. */
export const openDesk = async (engine: Engine, options: InstanceOptions = {}) => {
  const instance: Instance = await startInstance({ engine, ...options })
  const person: Person = await register(instance)
  instance.app.syncing.start()
  const base = '/api/settings/mail-accounts'
  let aheadMs = 0

  const desk = {
    instance,
    person,
    async addAccount(
      address = newAddress(),
      wish: Record<string, unknown> = {},
    ): Promise<{ id: string; address: string }> {
      const added = await instance.post(base, { ...accountBody(address), ...wish }, person)
      if (added.status !== 201) throw new Error(JSON.stringify(added.body))
      return { id: added.body.id, address }
    },
    account: async (id: string) => (await instance.get(`${base}/${id}`, person)).body,
    sync: (id: string) => instance.post(`${base}/${id}/sync`, undefined, person),
    /** Asks for a look at everything, and waits until it is over. */
    async settle(id: string): Promise<void> {
      await desk.sync(id)
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
      await eventually(async () => (await desk.account(id)).sync.status === 'live')
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
      (await desk.emails(accountId)).map(({ subject }) => subject).toSorted(),
    /** For the instance, and for the database that keeps its jobs. */
    async letPass(ms: number): Promise<void> {
      aheadMs += ms
      instance.clock.advance(ms)
      if (engine === 'postgres') await moveBossClock(instance.database.db, aheadMs)
    },
    /** What is sent can be taken back for ten seconds. */
    passUndo: (): Promise<void> => desk.letPass(11_000),
    change: (id: number, wish: Record<string, unknown>) =>
      instance.call('PATCH', `/api/emails/${id}`, { body: wish }),
    close: () => instance.close(),
  }
  return desk
}

export type Desk = Awaited<ReturnType<typeof openDesk>>
