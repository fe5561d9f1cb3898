import type { Sealer } from '../../../platform/secrets/seal.ts'
import {
  type AccountInput,
  type CalendarAccounts,
  fileTarget,
  readLogin,
  readUrl,
  serverTarget,
} from './accounts.ts'
import type { CalendarTarget, OpenCalendarServer } from './calendar-server.ts'
import type { PublishedTarget, ReadPublished } from './sync/remote-files.ts'
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

/** The test sends several requests one after the other. */
const TIMEOUT_MS = 60_000

/** Performs the same steps as a sync. Reports the calendars, or the step that failed. */
export const createTrial = (deps: {
  sealer: Sealer
  accounts: Pick<CalendarAccounts, 'record'>
  openServer: OpenCalendarServer
  readPublished: ReadPublished
}) => {
  const runTest = async (
    place: { kind: AccountInput['kind']; url: string },
    look: (signal: AbortSignal) => Promise<FoundCalendar[]>,
  ): Promise<TrialResult> => {
    try {
      return { ok: true, failure: null, calendars: await look(AbortSignal.timeout(TIMEOUT_MS)) }
    } catch (error) {
      return { ok: false, failure: explainError(error, place), calendars: [] }
    }
  }

  const tryServer = (target: CalendarTarget): Promise<TrialResult> =>
    runTest({ kind: 'caldav', url: target.url }, async (signal) =>
      (await deps.openServer(target).calendars(signal)).map(({ name, colour, isWritable }) => ({
        name,
        colour,
        writable: isWritable,
      })),
    )

  const tryFile = (target: PublishedTarget): Promise<TrialResult> =>
    runTest({ kind: 'ics', url: target.url }, async (signal) => {
      const file = await deps.readPublished(target, { etag: null, modified: null }, signal)
      const name = (file.notModified ? null : file.name) ?? new URL(target.url).hostname
      return [{ name, colour: null, writable: false }]
    })

  return {
    /** Tests an account that is not saved. */
    async attempt(input: AccountInput): Promise<TrialResult> {
      const url = readUrl(input.url)
      const login = readLogin(input.kind, input.username ?? null, input.password ?? null)
      return input.kind === 'ics' || login === null ? tryFile({ url, login }) : tryServer({ url, ...login })
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
