/** Where a server is and how a connection to it is protected. */
export interface MailServer {
  host: string
  port: number
  /** `implicit`: TLS from the first byte; `starttls`: TLS before anything else is said, or no connection at all. */
  tls: 'implicit' | 'starttls' | 'none'
  /** The one certificate (PEM) that is trusted here, for servers whose certificate nobody has signed. */
  certificate: string | null
}

export type MailLogin =
  | { kind: 'password'; user: string; password: string }
  | { kind: 'oauth'; user: string; accessToken: string }

/** Everything that a connection needs. */
export interface MailTarget {
  server: MailServer
  login: MailLogin
}
