import type { Sealer } from '../../platform/secrets/seal.ts'
import type { CalendarAccounts } from './accounts.ts'
import type { CalendarTarget, OpenCalendarServer } from './calendar-server.ts'
import { fileTarget, serverTarget } from './credentials.ts'
import type { PublishedTarget, ReadPublished } from './sync/published-file.ts'
import { type AccountWish, readLogin, readUrl } from './wish.ts'
import { type Explained, explainError } from './words.ts'

interface FoundCalendar {
  name: string
  colour: string | null
  writable: boolean
}
export interface TrialResult {
  ok: boolean
  failure: Explained | null
  calendars: FoundCalendar[]
}

/** A server is asked several things, one after the other. */
const LONGEST_MS = 60_000

/** Goes the whole way, as the sync will, and says what it found or how far it got. */
export const createTrial = (deps: {
  sealer: Sealer
  accounts: Pick<CalendarAccounts, 'record'>
  openServer: OpenCalendarServer
  readPublished: ReadPublished
}) => {
  const judged = async (
    place: { kind: AccountWish['kind']; url: string },
    look: (signal: AbortSignal) => Promise<FoundCalendar[]>,
  ): Promise<TrialResult> => {
    try {
      return { ok: true, failure: null, calendars: await look(AbortSignal.timeout(LONGEST_MS)) }
    } catch (error) {
      return { ok: false, failure: explainError(error, place), calendars: [] }
    }
  }

  const tryServer = (target: CalendarTarget): Promise<TrialResult> =>
    judged({ kind: 'caldav', url: target.url }, async (signal) =>
      (await deps.openServer(target).calendars(signal)).map(({ name, colour, isWritable }) => ({
        ...{ name, colour, writable: isWritable },
      })),
    )

  const tryFile = (target: PublishedTarget): Promise<TrialResult> =>
    judged({ kind: 'ics', url: target.url }, async (signal) => {
      const file = await deps.readPublished(target, { etag: null, modified: null }, signal)
      const name = (file.notModified ? null : file.name) ?? new URL(target.url).hostname
      return [{ name, colour: null, writable: false }]
    })

  return {
    /** Before anything is saved. */
    async attempt(wish: AccountWish): Promise<TrialResult> {
      const url = readUrl(wish.url)
      const login = readLogin(wish.kind, wish.username ?? null, wish.password ?? null)
      return wish.kind === 'ics' || login === null ? tryFile({ url, login }) : tryServer({ url, ...login })
    },
    async attemptSaved(userId: number, id: string): Promise<TrialResult> {
      const account = await deps.accounts.record(userId, id)
      return account.kind === 'ics'
        ? tryFile(fileTarget(deps.sealer, account))
        : tryServer(serverTarget(deps.sealer, account))
    },
  }
}

export type Trial = ReturnType<typeof createTrial>
