import { AppError, type StepFailure } from '../../platform/errors.ts'

export interface Explained {
  step: StepFailure['step']
  /** What happened, in plain words. */
  problem: string
  /** What to do about it. */
  remedy: string
}

/** Where it was tried. */
export interface Place {
  kind: 'caldav' | 'ics'
  url: string
}

type Words = (host: string, kind: Place['kind'], said: string) => [problem: string, remedy: string]

const WORDS: Partial<Record<`${StepFailure['step']}.${StepFailure['reason']}`, Words>> = {
  'dns.unknown_host': (host) => [
    `There is no server named ${host}.`,
    'Check the spelling of the address. Your provider tells it, often under “CalDAV” or “Subscribe”.',
  ],
  'dns.forbidden_address': (host) => [
    `${host} is an address inside a private network, which this instance may not reach.`,
    'Ask whoever runs this instance to name it in OUTBOUND_ALLOW.',
  ],
  'dns.timeout': (host) => [
    `Looking up ${host} took too long.`,
    'Check the network of this machine, then try again.',
  ],
  'connect.refused': (host) => [
    `Nothing answers at ${host}.`,
    'Check the address and its port, and that a firewall lets it through.',
  ],
  'connect.timeout': (host) => [
    `${host} did not answer in time.`,
    'Check the address and its port, and that a firewall lets it through; otherwise try again later.',
  ],
  'tls.untrusted': (host) => [
    `The certificate of ${host} was not signed by anyone this machine trusts.`,
    'Have it signed by an authority, or add its own to those that this machine trusts (NODE_EXTRA_CA_CERTS).',
  ],
  'tls.wrong_name': (host) => [
    `The certificate that answers was made for another name than ${host}.`,
    'Use the name that your provider tells for its server.',
  ],
  'tls.expired': (host) => [
    `The certificate of ${host} is not valid today.`,
    "Have it renewed, and check this machine's clock.",
  ],
  'tls.not_tls': (host) => [
    `${host} does not speak TLS there.`,
    'Check the port, or begin the address with http:// if the server is your own and has no encryption.',
  ],
  'tls.other': (host) => [
    `No encrypted connection to ${host} came about.`,
    'The server may be too old for TLS 1.2, or the port may be one without encryption.',
  ],
  'greeting.closed': (host) => [
    `${host} closed the connection before anything was said.`,
    'The port may want https:// or http:// instead, or the server turns this machine away.',
  ],
  'command.timeout': (host) => [
    `${host} took too long to answer.`,
    'Try again later. If it stays so, ask your provider.',
  ],
  'command.closed': (host) => [
    `${host} broke off in the middle of its answer.`,
    'Try again later. If it stays so, ask your provider.',
  ],
  'command.refused': (host, _kind, said) => [
    `${host} refuses what it was asked${said}.`,
    'Check that the address is the one that your provider gives, and that you may use these calendars.',
  ],
  'login.credentials': (host, kind) => [
    `${host} does not accept this name and password.`,
    kind === 'caldav'
      ? 'Check both. Providers with a second factor ask for an app password.'
      : 'Check both, or use the address that your provider gives for subscribing without signing in.',
  ],
  'select.missing': (host, kind) =>
    kind === 'caldav'
      ? [
          `${host} answers, and there are no calendars at this address.`,
          'Use the address that your provider gives for CalDAV, or that of one of your calendars there.',
        ]
      : [
          `${host} answers, and there is no file at this address.`,
          'It may have been taken back: publish the calendar again, and give its new address.',
        ],
  'select.other': (host, kind) =>
    kind === 'caldav'
      ? [
          `What answers at ${host} is no calendar server.`,
          'Use the address that your provider gives for CalDAV, not the one of its web pages.',
        ]
      : [
          `What lies at this address of ${host} is no calendar file.`,
          'Use the address of the file itself (often ending in .ics), not the one of a page that shows it.',
        ],
}

const explainFailure = (failure: StepFailure, { kind, url }: Place): Explained => {
  const host = URL.parse(url)?.hostname ?? url
  const said = failure.said === null ? '' : ` (“${failure.said}”)`
  const [problem, remedy] = WORDS[`${failure.step}.${failure.reason}`]?.(host, kind, said) ?? [
    `${host} did not do as it was asked${said}.`,
    'Try again later. If it stays so, ask your provider.',
  ]
  return { step: failure.step, problem, remedy }
}

/** Whatever went wrong on the way, told to someone who has to mend it; what is our own fault is thrown on. */
export const explainError = (error: unknown, place: Place): Explained => {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return explainFailure({ step: 'connect', reason: 'timeout', said: null }, place)
  if (!(error instanceof AppError)) throw error
  if (error.details.failure) return explainFailure(error.details.failure, place)
  if (error.kind !== 'upstream') throw error
  return {
    step: 'command',
    problem: error.message,
    remedy: 'Try again later. If it stays so, ask your provider.',
  }
}
