import { AppError, type StepFailure } from '../../platform/errors.ts'
import type { MailServer } from './servers.ts'

type ServerPlace = Pick<MailServer, 'host' | 'port' | 'certificate'>

export interface Explained {
  step: StepFailure['step']
  /** What happened, in plain words. */
  problem: string
  /** What to do about it. */
  remedy: string
}

type Words = (server: ServerPlace, said: string) => [problem: string, remedy: string]

const place = ({ host, port }: ServerPlace): string => `${host}, port ${port}`

const WORDS: Partial<Record<`${StepFailure['step']}.${StepFailure['reason']}`, Words>> = {
  'dns.unknown_host': ({ host }) => [
    `There is no server named ${host}.`,
    'Check the spelling of the server. Your provider tells its name, or let it be found from your address.',
  ],
  'dns.forbidden_address': ({ host }) => [
    `${host} is an address inside a private network, which this instance may not reach.`,
    'Ask whoever runs this instance to name it in OUTBOUND_ALLOW.',
  ],
  'dns.timeout': ({ host }) => [
    `Looking up ${host} took too long.`,
    'Check the network of this machine, then try again.',
  ],
  'connect.refused': (server) => [
    `Nothing answers at ${place(server)}.`,
    'Check the port (993 or 143 to read, 465 or 587 to send), and that a firewall lets it through.',
  ],
  'connect.timeout': (server) => [
    `${place(server)} did not answer in time.`,
    'Check the server and the port, and that a firewall lets it through.',
  ],
  'tls.untrusted': ({ host, certificate }) => [
    certificate === null
      ? `The certificate of ${host} was not signed by anyone this machine trusts.`
      : `${host} shows another certificate than the one that was given for it.`,
    'If it is your own server, give its certificate (PEM) with the account, once you have made sure that it is yours.',
  ],
  'tls.wrong_name': ({ host }) => [
    `The certificate that answers was made for another name than ${host}.`,
    'Use the name that your provider tells for its server, or give the certificate (PEM) of your own server.',
  ],
  'tls.expired': ({ host }) => [
    `The certificate of ${host} is not valid today.`,
    "Have it renewed, and check this machine's clock.",
  ],
  'tls.no_starttls': ({ host }) => [
    `${host} offers no encryption (STARTTLS) on this port.`,
    'Choose TLS from the start with port 993 or 465. Without encryption anyone on the way can read the password.',
  ],
  'tls.not_tls': (server) => [
    `${place(server)} does not begin with TLS.`,
    'Choose STARTTLS for this port, or port 993 (read) or 465 (send) with TLS.',
  ],
  'tls.other': ({ host }) => [
    `No encrypted connection to ${host} came about.`,
    'The server may be too old for TLS 1.2, or the port may be the wrong one for the kind of encryption chosen.',
  ],
  'greeting.timeout': (server) => [
    `${place(server)} took the connection and then said nothing.`,
    'If TLS is expected on this port, choose it; otherwise try again later.',
  ],
  'greeting.closed': (server) => [
    `${place(server)} closed the connection before anything was said.`,
    'The port may want TLS from the start, or the server turns this machine away.',
  ],
  'login.credentials': ({ host }, said) => [
    `${host} does not accept this name and password${said}.`,
    'Check both. Providers with a second factor ask for an app password, or for signing in with them instead.',
  ],
  'login.signed_out': () => [
    'The provider no longer lets us in: its consent has ended or was taken back.',
    'Connect the account anew by signing in with the provider again.',
  ],
  'select.missing': ({ host }) => [
    `${host} let us in, and there is no inbox.`,
    'Ask your provider whether reading by IMAP is turned on for the account.',
  ],
}

/** A failed step, told to someone who has to mend it. */
export const explainFailure = (failure: StepFailure, server: ServerPlace): Explained => {
  const said = failure.said === null ? '' : ` (“${failure.said}”)`
  const [problem, remedy] = WORDS[`${failure.step}.${failure.reason}`]?.(server, said) ?? [
    `${server.host} ended the conversation unexpectedly${said}.`,
    'Try again later. If it stays so, ask your provider.',
  ]
  return { step: failure.step, problem, remedy }
}

/** The same for whatever was thrown on the way to a server; what is no such failure is thrown on. */
export const explainError = (error: unknown, server: ServerPlace): Explained => {
  const failure = error instanceof AppError ? error.details.failure : undefined
  if (!failure) throw error
  return explainFailure(failure, server)
}
