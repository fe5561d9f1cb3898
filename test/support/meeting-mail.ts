import { expect } from 'vitest'
import { getLocalUserId } from '../../src/database/local-account.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import type { Instance } from './instance.ts'
import { soon } from './job-fixture.ts'

/** Creates a calendar with one event, as a mail program would send it. */
export const calendar = (method: string | null, ...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...(method === null ? [] : [`METHOD:${method}`]),
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

let mails = 0

/** Creates a mail with the calendar as RFC 6047 defines it. */
export const mailWith = (
  file: string | Uint8Array,
  { from = 'Ben Okafor <ben@example.org>', to = 'ana@example.org', type = 'text/calendar' } = {},
): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: Design review',
    `Message-ID: <meeting-${++mails}@example.org>`,
    'Date: Mon, 02 Feb 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'You are invited.',
    '--b',
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(file).toString('base64'),
    '--b--',
    '',
  ].join('\r\n')

export const storeMail = async (instance: Instance, raw: string | Uint8Array): Promise<number> => {
  const { status, body } = await instance.call('POST', '/api/emails', {
    body: raw,
    headers: { 'content-type': 'message/rfc822' },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

/** Stores many mails in one transaction, as the sync does. That takes less time than many requests. */
export const storeMails = async (
  { app, clock, database }: Instance,
  raws: readonly string[],
): Promise<void> =>
  inTransaction(database.db, async (tx) => {
    const userId = await getLocalUserId(tx)
    const receivedAt = clock.now().toISOString()
    for (const text of raws)
      await app.features.emails.file(tx, {
        raw: Buffer.from(text),
        userId,
        accountId: null,
        folder: 'inbox',
        read: false,
        starred: false,
        receivedAt,
        isNew: true,
      })
  })

/** Waits until the background job has applied all meeting email to the calendar. */
export const waitForMeetingMail = (instance: Instance): Promise<void> =>
  soon(async () => {
    for (const state of ['waiting', 'running', 'parked'] as const) {
      const jobs = await instance.app.jobs.list({ state, limit: 100 })
      expect(jobs.filter(({ name }) => name === 'calendar.update-by-mail')).toEqual([])
    }
  })
