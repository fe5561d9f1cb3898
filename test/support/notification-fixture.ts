import { expect } from 'vitest'
import { ALL_ACCOUNTS } from '../../src/database/all-accounts.ts'
import type { Engine } from '../../src/database/database.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { toChange } from './changes.ts'
import { eventually } from './eventually.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Person, register } from './people.ts'
import { startScriptedSmtp } from './smtp-script.ts'

export const SETTINGS = '/api/settings/notifications'
export const INBOX = '/api/notifications'

/** The fields of a notification that tests read. */
export interface ReceivedNotification {
  id: number
  kind: string
  data: Record<string, unknown> | null
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

/** Starts an SMTP server and adds an account that sends through it. */
export const addMailAccount = async (
  instance: Instance,
  person: Pick<Person, 'token'>,
  port: number,
): Promise<string> => {
  const server = { host: '127.0.0.1', port, tls: 'none' }
  const input = { address: 'ana@example.test', password: 'secret', imap: server, smtp: server }
  const { status, body } = await instance.post('/api/settings/mail-accounts', input, person)
  expect([status, body.detail]).toEqual([201, undefined])
  return body.id
}

/** Starts an instance with an owner, a member, running jobs, and a scripted mail server. */
export const openNotificationFixture = async (engine: Engine) => {
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
    // Housekeeping at a later time also removes its own job.
    const isOver = async () => ['done', undefined].includes((await instance.app.jobs.find(id))?.state)
    await eventually(isOver)
  }
  const list = async (person: Person, query = ''): Promise<ReceivedNotification[]> =>
    (await instance.get(`${INBOX}?limit=200${query}`, person)).body.notifications
  return {
    instance,
    ana,
    ben,
    smtp,
    db,
    list,
    run,
    ofAna: settingsOf(instance, ana),
    ofBen: settingsOf(instance, ben),
    /** Records changes, of Ana unless they name an account. */
    happen: (
      ...changes: (Omit<Parameters<typeof toChange>[0], 'userId'> & { userId?: number })[]
    ): Promise<void> =>
      inTransaction(db, (tx) =>
        instance.app.changes.recordAll(
          tx,
          changes.map((change) => toChange({ ...change, userId: change.userId ?? ana.id })),
        ),
      ),
    /** Runs the scheduled job now. On PostgreSQL jobs wait by the database clock. */
    deliver: () => run('notifications.deliver'),
    /** Waits until all emails are sent or have failed. */
    settled: () =>
      eventually(async () => {
        const open = await db
          .selectFrom('notification_mails')
          .select('id')
          .where('state', 'in', ['queued', 'sending'])
          .modifyEnd(ALL_ACCOUNTS)
          .execute()
        return open.length === 0
      }),
    async forget(): Promise<void> {
      for (const table of ['notifications', 'notification_mails', 'notification_settings'] as const)
        await db.deleteFrom(table).modifyEnd(ALL_ACCOUNTS).execute()
      await db.deleteFrom('mail_accounts').execute()
      await db.deleteFrom('webhooks').modifyEnd(ALL_ACCOUNTS).execute()
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

export type NotificationFixture = Awaited<ReturnType<typeof openNotificationFixture>>
