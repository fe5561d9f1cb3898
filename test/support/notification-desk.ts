import { expect, vi } from 'vitest'
import type { Engine } from '../../src/database/database.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import type { Change } from '../../src/platform/changes.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Person, register } from './people.ts'
import { startScriptedSmtp } from './smtp-script.ts'

export const SETTINGS = '/api/settings/notifications'
export const INBOX = '/api/notifications'

const PATIENCE = { timeout: 30_000, interval: 20 }

/** What a test reads of a notification. */
export interface Told {
  id: number
  kind: string
  title: string
  body: string
  link: string | null
  read: boolean
  email: { state: string; heldBy: string | null; dueAt: string; error: string | null } | null
  webhook: { state: string; heldBy: string | null; dueAt: string } | null
}

export const settingsOf = (instance: Instance, person: Pick<Person, 'token'>) => ({
  async change(body: Record<string, unknown>): Promise<void> {
    const { status, body: answer } = await instance.call('PATCH', SETTINGS, { body, token: person.token })
    expect([status, answer.detail]).toEqual([200, undefined])
  },
})

/** A server that mail is handed to, and an account that sends by it. */
export const addMailAccount = async (
  instance: Instance,
  person: Pick<Person, 'token'>,
  port: number,
): Promise<string> => {
  const server = { host: '127.0.0.1', port, tls: 'none' }
  const wish = { address: 'ana@example.test', password: 'secret', imap: server, smtp: server }
  const { status, body } = await instance.post('/api/settings/mail-accounts', wish, person)
  expect([status, body.detail]).toEqual([201, undefined])
  return body.id
}

/** An instance with its owner and a member, jobs at work, and a mail server that does as it is told. */
export const openNotificationDesk = async (engine: Engine) => {
  const instance = await startInstance({
    engine,
    environment: { ACCESS_TOKEN_TTL: '90d', TZ_DEFAULT: 'UTC' },
  })
  const ana = await register(instance)
  const ben = await register(instance)
  const smtp = await startScriptedSmtp()
  await instance.app.jobs.start()
  const { db } = instance.database
  const run = async (job: string): Promise<void> => {
    const id = (await instance.app.jobs.enqueue(db, job, {})) as string
    // Housekeeping at a later time clears away also itself.
    const isOver = async () => ['done', undefined].includes((await instance.app.jobs.find(id))?.state)
    await vi.waitUntil(isOver, PATIENCE)
  }
  const list = async (person: Person, query = ''): Promise<Told[]> =>
    (await instance.get(`${INBOX}?limit=200${query}`, person)).body.notifications
  return {
    ...{ instance, ana, ben, smtp, db, list, run },
    ofAna: settingsOf(instance, ana),
    ofBen: settingsOf(instance, ben),
    /** Something happens, or is undone in the last moment. */
    happen: (...changes: Change[]): Promise<void> =>
      inTransaction(db, (tx) => instance.app.changes.recordAll(tx, changes)),
    /** What the schedule does now and then; here, when the test says so. PostgreSQL's jobs wait by its own clock. */
    deliver: () => run('notifications.deliver'),
    /** Waits until the mail of everything is settled one way or another. */
    settled: () =>
      vi.waitUntil(async () => {
        const open = await db
          .selectFrom('notification_mails')
          .select('id')
          .where('state', 'in', ['queued', 'sending'])
          .execute()
        return open.length === 0
      }, PATIENCE),
    async forget(): Promise<void> {
      for (const table of ['notifications', 'notification_mails', 'notification_settings'] as const)
        await db.deleteFrom(table).execute()
      await db.deleteFrom('mail_accounts').execute()
      await db.deleteFrom('webhooks').execute()
      smtp.taken = []
      smtp.turns = []
      smtp.handedOver = 0
    },
    async close(): Promise<void> {
      await instance.close()
      smtp.close()
    },
  }
}

export type NotificationDesk = Awaited<ReturnType<typeof openNotificationDesk>>
