import { AppError, type StepFailure } from '../../../platform/errors.ts'
import type { Language, LanguageOf } from '../../../platform/language.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import { explainStep, type FailureExplanation } from '../../remote-accounts/failure.ts'
import {
  type AccountInput,
  type CalendarAccounts,
  fileTarget,
  type ProviderTokens,
  type PublishedTarget,
  readLogin,
  readUrl,
  serverTarget,
} from './accounts.ts'
import type { CalendarTarget, OpenCalendarServer } from './calendar-server.ts'
import { de } from './locales/de.ts'
import { type CalendarServerTexts, en } from './locales/en.ts'
import type { ReadPublished } from './sync/remote-files.ts'

type FailedAccount = Pick<AccountInput, 'kind' | 'url'>

const TEXTS: Readonly<Record<Language, CalendarServerTexts>> = { en, de }

export const calendarServerTexts = (language: Language): CalendarServerTexts => TEXTS[language]

const explainFailure = (
  failure: StepFailure,
  { kind, url }: FailedAccount,
  language: Language,
): FailureExplanation => {
  const host = URL.parse(url)?.hostname ?? url
  return explainStep(failure, { host, kind }, TEXTS[language])
}

/** Explains a connection error to the user. Other errors are rethrown. */
export const explainError = (
  error: unknown,
  account: FailedAccount,
  language: Language,
): FailureExplanation => {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return explainFailure({ step: 'connect', reason: 'timeout', response: null }, account, language)
  if (!(error instanceof AppError)) throw error
  if (error.details.failure) return explainFailure(error.details.failure, account, language)
  if (error.kind !== 'upstream') throw error
  return {
    step: 'command',
    problem: error.message,
    remedy: TEXTS[language].tryLater,
  }
}

interface FoundCalendar {
  name: string
  color: string | null
  writable: boolean
}
export interface ConnectionTestResult {
  ok: boolean
  failure: FailureExplanation | null
  calendars: FoundCalendar[]
}

/** The test sends several requests one after the other. */
const TIMEOUT_MS = 60_000

/** Performs the same steps as a sync. Reports the calendars, or the step that failed. */
export const createConnectionTest = (deps: {
  sealer: Sealer
  tokens: ProviderTokens
  accounts: Pick<CalendarAccounts, 'record'>
  openServer: OpenCalendarServer
  readPublished: ReadPublished
  languageOf: LanguageOf
}) => {
  const runTest = async (
    userId: number,
    account: FailedAccount,
    listCalendars: (signal: AbortSignal) => Promise<FoundCalendar[]>,
  ): Promise<ConnectionTestResult> => {
    try {
      return { ok: true, failure: null, calendars: await listCalendars(AbortSignal.timeout(TIMEOUT_MS)) }
    } catch (error) {
      const failure = explainError(error, account, await deps.languageOf(userId))
      return { ok: false, failure, calendars: [] }
    }
  }

  const testServer = (userId: number, target: CalendarTarget): Promise<ConnectionTestResult> =>
    runTest(userId, { kind: 'caldav', url: target.url }, async (signal) =>
      (await deps.openServer(target).calendars(signal)).map(({ name, color, isWritable }) => ({
        name,
        color,
        writable: isWritable,
      })),
    )

  const testFile = (userId: number, target: PublishedTarget): Promise<ConnectionTestResult> =>
    runTest(userId, { kind: 'ics', url: target.url }, async (signal) => {
      const file = await deps.readPublished(userId, target, { etag: null, modified: null }, signal)
      const name = (file.notModified ? null : file.name) ?? new URL(target.url).hostname
      return [{ name, color: null, writable: false }]
    })

  return {
    /** Tests an account that is not saved. */
    async test(userId: number, input: AccountInput): Promise<ConnectionTestResult> {
      const url = readUrl(input.url)
      const login = readLogin(input.kind, input.username ?? null, input.password ?? null)
      return input.kind === 'ics' || login === null
        ? testFile(userId, { url, login })
        : testServer(userId, { url, ...login })
    },
    async testSaved(userId: number, id: string): Promise<ConnectionTestResult> {
      const account = await deps.accounts.record(userId, id)
      return account.kind === 'ics'
        ? testFile(userId, fileTarget(deps.sealer, account))
        : testServer(userId, serverTarget(deps, account))
    },
  }
}

export type ConnectionTest = ReturnType<typeof createConnectionTest>
