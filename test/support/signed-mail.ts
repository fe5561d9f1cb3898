import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/* Signed and encrypted messages, made by OpenSSL. */

const CA_EXTENSIONS = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n'

interface CertificateOptions {
  address?: string
  usage?: string
  days?: number
  bits?: number
  issuer?: string
}

export interface SigningOptions {
  from?: string
  body?: string
  digest?: string
  flags?: readonly string[]
  /** The authorities whose certificates the message contains. */
  chain?: readonly string[]
  /** Date of the message. */
  date?: Date
}

export type SignedMail = ReturnType<typeof createSignedMail>

/** Creates an authority below a root, and messages of signers that it certifies. Call `remove` at the end. */
export const createSignedMail = () => {
  const folder = mkdtempSync(join(tmpdir(), 'signed-mail-'))
  const file = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): Buffer =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })

  const createKey = (name: string, bits = 2048): void => {
    openssl('genrsa', '-out', `${name}.key`, String(bits))
  }
  const request = (name: string, subject: string): void => {
    openssl('req', '-new', '-key', `${name}.key`, '-subj', subject, '-out', `${name}.csr`)
  }
  const certify = (name: string, issuer: string | null, extensions: string, days: number): void => {
    writeFileSync(file(`${name}.ext`), extensions)
    openssl(
      'x509',
      '-req',
      '-sha256',
      '-in',
      `${name}.csr`,
      '-out',
      `${name}.pem`,
      '-extfile',
      `${name}.ext`,
      '-days',
      String(days),
      ...(issuer === null ? ['-key', `${name}.key`] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`]),
      '-set_serial',
      `0x${Buffer.from(name).toString('hex')}`,
    )
  }

  createKey('root')
  request('root', '/CN=Test Root/O=Test')
  certify('root', null, CA_EXTENSIONS, 3650)
  createKey('issuer')
  request('issuer', '/CN=Test Mail CA/O=Test')
  certify('issuer', 'root', CA_EXTENSIONS, 3650)

  const createSigner = (name: string, options: CertificateOptions = {}): void => {
    const {
      address = 'ana@example.org',
      usage = 'emailProtection',
      days = 365,
      bits = 2048,
      issuer = 'issuer',
    } = options
    createKey(name, bits)
    request(name, '/CN=Ana Ruiz')
    certify(
      name,
      issuer,
      `basicConstraints=CA:FALSE\nextendedKeyUsage=${usage}\nsubjectAltName=email:${address}\n`,
      days,
    )
  }
  createSigner('ana')

  const toHeader = ({ from = 'Ana Ruiz <ana@example.org>', date }: SigningOptions): string =>
    [
      `From: ${from}`,
      'To: Ben Okafor <ben@example.org>',
      'Subject: Signed offer',
      ...(date ? [`Date: ${date.toUTCString()}`] : []),
      '',
    ].join('\r\n')

  const DEFAULT_BODY = 'Content-Type: text/plain; charset=utf-8\r\n\r\nThe price is 120 euros.\r\n'

  const sign = (signer: string, options: SigningOptions = {}): Buffer => {
    const { body = DEFAULT_BODY, digest = 'sha256', flags = [], chain = ['issuer'] } = options
    writeFileSync(file('body'), body)
    writeFileSync(file('chain.pem'), chain.map((name) => readFileSync(file(`${name}.pem`), 'utf8')).join(''))
    const message = openssl(
      'cms',
      '-sign',
      '-binary',
      '-crlfeol',
      '-in',
      'body',
      '-md',
      digest,
      '-signer',
      `${signer}.pem`,
      '-inkey',
      `${signer}.key`,
      ...(chain.length > 0 ? ['-certfile', 'chain.pem'] : []),
      ...flags,
    )
    return Buffer.concat([Buffer.from(toHeader(options)), message])
  }

  return {
    rootPem: readFileSync(file('root.pem'), 'utf8'),
    createSigner,
    /** A message with a separate signature (multipart/signed). */
    signDetached: sign,
    /** A message whose content is inside the signature (application/pkcs7-mime). */
    signOpaque: (signer: string, options: SigningOptions = {}): Buffer =>
      sign(signer, { ...options, flags: ['-nodetach', ...(options.flags ?? [])] }),
    encrypt(options: SigningOptions = {}): Buffer {
      writeFileSync(file('body'), options.body ?? DEFAULT_BODY)
      const message = openssl('cms', '-encrypt', '-aes256', '-in', 'body', 'ana.pem')
      return Buffer.concat([Buffer.from(toHeader(options)), message])
    },
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  }
}

const PGP_HEADER = [
  'From: Ana Ruiz <ana@example.org>',
  'To: Ben Okafor <ben@example.org>',
  'MIME-Version: 1.0',
  '',
].join('\r\n')

export const ARMOR = '-----BEGIN PGP MESSAGE-----\r\n\r\nhQEMA+Zz\r\n=abcd\r\n-----END PGP MESSAGE-----\r\n'

/** OpenPGP messages (RFC 3156), and the older form inside the text. */
export const PGP_MAIL = {
  encrypted: `${PGP_HEADER}Subject: Secret\r\nContent-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=e\r\n\r\n--e\r\nContent-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n\r\n--e\r\nContent-Type: application/octet-stream; name="encrypted.asc"\r\n\r\n${ARMOR}\r\n--e--\r\n`,
  signed: `${PGP_HEADER}Subject: Signed\r\nContent-Type: multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"; boundary=s\r\n\r\n--s\r\nContent-Type: text/plain\r\n\r\nSigned text\r\n--s\r\nContent-Type: application/pgp-signature; name="signature.asc"\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n\r\n--s--\r\n`,
  inline: `${PGP_HEADER}Subject: Inline\r\nContent-Type: text/plain\r\n\r\n${ARMOR}`,
  clearSigned: `${PGP_HEADER}Subject: Clear\r\nContent-Type: text/plain\r\n\r\n-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\nHello\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n`,
} as const
