import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** RFC 6238, 5.2: one step of tolerance either way. */
const TOLERANCE = 1

interface TotpOptions {
  digits?: number
  algorithm?: 'SHA1' | 'SHA256' | 'SHA512'
}

const totpOf = (secret: string, { digits = 6, algorithm = 'SHA1' }: TotpOptions): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), digits, algorithm, period: PERIOD_SECONDS })

export const newTotpSecret = (bytes: Buffer): string =>
  new Secret({ buffer: new Uint8Array(bytes).buffer }).base32

/** The step in which `code` is right, if that is now or just beside it. */
export const matchStep = (
  secret: string,
  code: string,
  at: Date,
  options: TotpOptions = {},
): number | undefined => {
  const timestamp = at.getTime()
  const delta = totpOf(secret, options).validate({ token: code, timestamp, window: TOLERANCE })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

/** What an authenticator app reads, as text or as a picture of it. */
export const otpauthUrl = (secret: string, email: string): string =>
  new TOTP({
    secret: Secret.fromBase32(secret),
    issuer: 'Factotum',
    label: email,
    period: PERIOD_SECONDS,
  }).toString()
