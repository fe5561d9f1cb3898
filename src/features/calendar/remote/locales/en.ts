import type { ExplainFailure, FailureTexts } from '../../../remote-accounts/failure.ts'
import type { CalendarHost } from '../calendar-server.ts'

const TRY_LATER = 'Try again later. If the problem persists, ask your provider.'

const steps = {
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
  'command.timeout': ({ host }) => [`The request to ${host} timed out.`, TRY_LATER],
  'command.closed': ({ host }) => [
    `${host} closed the connection before the response was complete.`,
    TRY_LATER,
  ],
  'command.refused': ({ host }, response) => [
    `${host} rejected the request${response}.`,
    'Check that the address is correct, and that you have access to these calendars.',
  ],
  'login.credentials': ({ host, kind }) => [
    `${host} rejected the user name or password.`,
    kind === 'caldav'
      ? 'Check both. Providers with two-factor authentication require an app password.'
      : 'Check both, or use the address for subscribing without a login.',
  ],
  'login.signed_out': ({ host }) => [
    `${host} no longer accepts the sign-in: its consent has expired or was revoked.`,
    'Sign in with the provider again.',
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
} satisfies FailureTexts<CalendarHost>['steps']

/** Texts about the servers of calendar accounts, in the language of the user. */
export const en = {
  steps,
  otherwise: ({ host }: CalendarHost, response: string): [string, string] => [
    `The request to ${host} failed${response}.`,
    TRY_LATER,
  ],
  quote: (response: string) => ` (“${response}”)`,
  tryLater: TRY_LATER,
  unexpectedError: 'An unexpected error occurred. See the log for details.',
  changesNotSent: (count: number, error: string) =>
    `${count === 1 ? 'One change' : `${count} changes`} could not be sent to the server: ${error}`,
  noCalendarForNewEvents:
    'The calendar for new events no longer exists or is read-only. New events go to the first writable calendar. Select another one.',
  moreRemarks: (count: number) => `${count} more like this.`,
}

export interface CalendarServerTexts extends Omit<typeof en, 'steps'> {
  steps: Record<keyof typeof steps, ExplainFailure<CalendarHost>>
}
