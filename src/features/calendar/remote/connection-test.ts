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

/** The account that failed. */
export interface Place {
  kind: 'caldav' | 'ics'
  url: string
}

const TEXTS: Readonly<Record<Language, CalendarServerTexts>> = { en, de }

export const calendarServerTexts = (language: Language): CalendarServerTexts => TEXTS[language]

const explainFailure = (
  failure: StepFailure,
  { kind, url }: Place,
  language: Language,
): FailureExplanation => {
  const host = URL.parse(url)?.hostname ?? url
  return explainStep(failure, { host, kind }, TEXTS[language])
}

/** Explains a connection error to the user. Other errors are rethrown. */
export const explainError = (error: unknown, place: Place, language: Language): FailureExplanation => {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return explainFailure({ step: 'connect', reason: 'timeout', response: null }, place, language)
  if (!(error instanceof AppError)) throw error
  if (error.details.failure) return explainFailure(error.details.failure, place, language)
  if (error.kind !== 'upstream') throw error
  return {
    step: 'command',
    problem: error.message,
    remedy: TEXTS[language].tryLater,
  }
}

interface FoundCalendar {
  name: string
  colour: string | null
  writable: boolean
}
export interface TrialResult {
  ok: boolean
  failure: FailureExplanation | null
  calendars: FoundCalendar[]
}

/** The test sends several requests one after the other. */
const TIMEOUT_MS = 60_000

/** Performs the same steps as a sync. Reports the calendars, or the step that failed. */
export const createTrial = (deps: {
  sealer: Sealer
  tokens: () => ProviderTokens
  accounts: Pick<CalendarAccounts, 'record'>
  openServer: OpenCalendarServer
  readPublished: ReadPublished
  languageOf: LanguageOf
}) => {
  const runTest = async (
    userId: number,
    place: { kind: AccountInput['kind']; url: string },
    look: (signal: AbortSignal) => Promise<FoundCalendar[]>,
  ): Promise<TrialResult> => {
    try {
      return { ok: true, failure: null, calendars: await look(AbortSignal.timeout(TIMEOUT_MS)) }
    } catch (error) {
      return { ok: false, failure: explainError(error, place, await deps.languageOf(userId)), calendars: [] }
    }
  }

  const tryServer = (userId: number, target: CalendarTarget): Promise<TrialResult> =>
    runTest(userId, { kind: 'caldav', url: target.url }, async (signal) =>
      (await deps.openServer(target).calendars(signal)).map(({ name, colour, isWritable }) => ({
        name,
        colour,
        writable: isWritable,
      })),
    )

  const tryFile = (userId: number, target: PublishedTarget): Promise<TrialResult> =>
    runTest(userId, { kind: 'ics', url: target.url }, async (signal) => {
      const file = await deps.readPublished(userId, target, { etag: null, modified: null }, signal)
      const name = (file.notModified ? null : file.name) ?? new URL(target.url).hostname
      return [{ name, colour: null, writable: false }]
    })

  return {
    /** Tests an account that is not saved. */
    async attempt(userId: number, input: AccountInput): Promise<TrialResult> {
      const url = readUrl(input.url)
      const login = readLogin(input.kind, input.username ?? null, input.password ?? null)
      return input.kind === 'ics' || login === null
        ? tryFile(userId, { url, login })
        : tryServer(userId, { url, ...login })
    },
    async attemptSaved(userId: number, id: string): Promise<TrialResult> {
      const account = await deps.accounts.record(userId, id)
      return account.kind === 'ics'
        ? tryFile(userId, fileTarget(deps.sealer, account))
        : tryServer(userId, serverTarget(deps, account))
    },
  }
}

export type Trial = ReturnType<typeof createTrial>
