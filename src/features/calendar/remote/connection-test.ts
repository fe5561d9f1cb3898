import { AppError, type StepFailure } from '../../../platform/errors.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import {
  explainStep,
  type FailureExplanation,
  type FailureTexts,
  TRY_LATER,
} from '../../remote-accounts/failure.ts'
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

/** The account that failed. */
export interface Place {
  kind: 'caldav' | 'ics'
  url: string
}

interface Server extends Pick<Place, 'kind'> {
  host: string
}

const TEXTS: FailureTexts<Server> = {
  'dns.unknown_host': ({ host }) => [
    `The host name ${host} does not exist.`,
    'Check the spelling of the address. Your provider lists it, often under “CalDAV” or “Subscribe”.',
  ],
  'dns.forbidden_address': ({ host }) => [
    `${host} is in a private network, which this instance must not access.`,
    'Ask the administrator of this instance to add it to OUTBOUND_ALLOW.',
  ],
  'dns.timeout': ({ host }) => [
    `The DNS lookup for ${host} timed out.`,
    'Check the network of this machine, then try again.',
  ],
  'connect.refused': ({ host }) => [
    `The connection to ${host} was refused.`,
    'Check the address, the port and the firewall.',
  ],
  'connect.timeout': ({ host }) => [
    `The connection to ${host} timed out.`,
    'Check the address, the port and the firewall, or try again later.',
  ],
  'tls.untrusted': ({ host }) => [
    `The certificate of ${host} is not signed by a trusted authority.`,
    'Use a certificate from a trusted authority, or add your own authority with NODE_EXTRA_CA_CERTS.',
  ],
  'tls.wrong_name': ({ host }) => [
    `The certificate of the server is not valid for the name ${host}.`,
    'Use the server name that your provider lists.',
  ],
  'tls.expired': ({ host }) => [
    `The certificate of ${host} is expired or not yet valid.`,
    'Renew the certificate, and check the clock of this machine.',
  ],
  'tls.not_tls': ({ host }) => [
    `${host} does not use TLS on this port.`,
    'Check the port. If the server is your own and has no encryption, use http://.',
  ],
  'tls.other': ({ host }) => [
    `The TLS connection to ${host} failed.`,
    'The server may not support TLS 1.2, or the port may not use encryption.',
  ],
  'greeting.closed': ({ host }) => [
    `${host} closed the connection before it responded.`,
    'The port may require https:// or http:// instead, or the server may block this machine.',
  ],
  'command.timeout': ({ host }) => [
    `The request to ${host} timed out.`,
    'Try again later. If the problem persists, ask your provider.',
  ],
  'command.closed': ({ host }) => [
    `${host} closed the connection before the response was complete.`,
    'Try again later. If the problem persists, ask your provider.',
  ],
  'command.refused': ({ host }, said) => [
    `${host} rejected the request${said}.`,
    'Check that the address is correct, and that you have access to these calendars.',
  ],
  'login.credentials': ({ host, kind }) => [
    `${host} rejected the user name or password.`,
    kind === 'caldav'
      ? 'Check both. Providers with two-factor authentication require an app password.'
      : 'Check both, or use the address for subscribing without a login.',
  ],
  'select.missing': ({ host, kind }) =>
    kind === 'caldav'
      ? [
          `${host} has no calendars at this address.`,
          'Use the CalDAV address of your provider, or the address of one of your calendars.',
        ]
      : [
          `${host} has no file at this address.`,
          'The calendar may no longer be published. Publish it again and enter its new address.',
        ],
  'select.other': ({ host, kind }) =>
    kind === 'caldav'
      ? [
          `${host} is not a CalDAV server.`,
          'Use the CalDAV address of your provider, not the address of its website.',
        ]
      : [
          `The file at this address of ${host} is not a calendar.`,
          'Use the address of the file itself (often ending in .ics), not of a page that shows it.',
        ],
}

const explainFailure = (failure: StepFailure, { kind, url }: Place): FailureExplanation => {
  const host = URL.parse(url)?.hostname ?? url
  return explainStep(failure, { host, kind }, TEXTS, (said) => `The request to ${host} failed${said}.`)
}

/** Explains a connection error to the user. Other errors are rethrown. */
export const explainError = (error: unknown, place: Place): FailureExplanation => {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return explainFailure({ step: 'connect', reason: 'timeout', said: null }, place)
  if (!(error instanceof AppError)) throw error
  if (error.details.failure) return explainFailure(error.details.failure, place)
  if (error.kind !== 'upstream') throw error
  return {
    step: 'command',
    problem: error.message,
    remedy: TRY_LATER,
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
