import type { ExplainFailure, FailureTexts } from '../../../remote-accounts/failure.ts'
import type { ServerAddress } from '../ports.ts'

const formatAddress = ({ host, port }: ServerAddress): string => `${host}, port ${port}`

const steps = {
  'dns.unknown_host': ({ host }) => [
    `There is no server named ${host}.`,
    'Check the spelling of the server. Your provider publishes its name, or search for it with your email address.',
  ],
  'dns.forbidden_address': ({ host }) => [
    `${host} is an address in a private network, which this instance may not reach.`,
    'Ask the operator of this instance to add it to OUTBOUND_ALLOW.',
  ],
  'dns.timeout': ({ host }) => [
    `The DNS lookup of ${host} timed out.`,
    'Check the network connection of this machine, then try again.',
  ],
  'connect.refused': (server) => [
    `No server responds at ${formatAddress(server)}.`,
    'Check the port (993 or 143 for IMAP, 465 or 587 for SMTP) and the firewall.',
  ],
  'connect.timeout': (server) => [
    `${formatAddress(server)} did not respond in time.`,
    'Check the server, the port and the firewall.',
  ],
  'tls.untrusted': ({ host, certificate }) => [
    certificate === null
      ? `The certificate of ${host} was not issued by an authority that this machine trusts.`
      : `${host} presents a different certificate from the one that is set for it.`,
    'If it is your own server, verify its certificate and add it (PEM) to the account.',
  ],
  'tls.wrong_name': ({ host }) => [
    `The server presents a certificate for another name than ${host}.`,
    'Use the server name that your provider publishes, or add the certificate (PEM) of your own server.',
  ],
  'tls.expired': ({ host }) => [
    `The certificate of ${host} has expired or is not yet valid.`,
    'Renew the certificate, and check the clock of this machine.',
  ],
  'tls.no_starttls': ({ host }) => [
    `${host} offers no encryption (STARTTLS) on this port.`,
    'Choose TLS with port 993 or 465. Without encryption, others on the network can read the password.',
  ],
  'tls.not_tls': (server) => [
    `${formatAddress(server)} does not start with TLS.`,
    'Choose STARTTLS for this port, or TLS with port 993 (IMAP) or 465 (SMTP).',
  ],
  'tls.other': ({ host }) => [
    `The TLS connection to ${host} failed.`,
    'The server may not support TLS 1.2, or the port does not match the chosen encryption.',
  ],
  'greeting.timeout': (server) => [
    `${formatAddress(server)} accepted the connection but sent no greeting.`,
    'If the port expects TLS, choose TLS. Otherwise try again later.',
  ],
  'greeting.closed': (server) => [
    `${formatAddress(server)} closed the connection before it sent a greeting.`,
    'The port may require TLS, or the server blocks this machine.',
  ],
  'login.credentials': ({ host }, response) => [
    `${host} rejected this user name and password${response}.`,
    'Check both. Accounts with two-factor authentication need an app password, or the sign-in of the provider.',
  ],
  'login.signed_out': (_server, response) => [
    `The provider rejected the sign-in${response}: its consent has expired or was revoked.`,
    'Reconnect the account by signing in with the provider again.',
  ],
  'select.missing': ({ host }) => [
    `The sign-in to ${host} succeeded, but the account has no inbox.`,
    'Ask your provider whether IMAP is enabled for the account.',
  ],
} satisfies FailureTexts<ServerAddress>['steps']

/** Texts about the servers of a mail account, in the language of its user. */
export const en = {
  steps,
  otherwise: ({ host }: ServerAddress, response: string): [string, string] => [
    response === ''
      ? `${host} closed the connection unexpectedly.`
      : `${host} refused the request${response}.`,
    // RFC 9208: the response code of a full mailbox is OVERQUOTA.
    /quota/i.test(response)
      ? 'Your mailbox is full. Delete mail, or get more storage from your provider.'
      : 'Try again later. If the problem persists, ask your provider.',
  ],
  quote: (response: string) => ` (“${response}”)`,
  storageFull:
    'Your storage is full, so the sync is paused. Your mail stays on the server. Delete emails, or ask the owner of this instance for more storage.',
  unexpectedError: 'An unexpected error occurred. See the log for details.',
  folderRefused: (host: string, response: string) => `${host} refused to change the folder: “${response}”.`,
  recipientRefused: 'The server refused the recipient.',
  refusals: {
    tooLarge: 'Send fewer or smaller attachments, or share a link to the files.',
    mailboxFull: 'The mailbox is full. Free some space, or ask the recipient to do so, then send again.',
    signIn: 'Check the password of the account in Settings → Email accounts, then send again.',
    sender: 'The server does not accept this sender. Choose another sender, or ask your provider.',
    internationalAddress:
      'Ask the recipient for an address with only a–z before the @, or send from another account.',
    recipient: 'Check the addresses of the recipients, then send again.',
    policy: 'The server rejects the message by its rules. Ask your provider or the recipient.',
    other: 'Change the message, or ask your provider, then send again.',
  },
  notDelivered: (recipients: string) => `Not delivered to ${recipients}.`,
}

export interface MailServerTexts extends Omit<typeof en, 'steps'> {
  steps: Record<keyof typeof steps, ExplainFailure<ServerAddress>>
}
