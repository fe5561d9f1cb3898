import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { BasicConstraints, type Certificate, GeneralNames, RSASSAPSSParams } from 'pkijs'
import type { SecurityReason } from '../messages/email-security.ts'

/* Certificates of mail signatures (RFC 5280, RFC 8550). Revocation is not checked, because it needs the network. */

const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const EMAIL_ADDRESS = '1.2.840.113549.1.9.1'
const KEY_USAGE = '2.5.29.15'
const SUBJECT_ALT_NAME = '2.5.29.17'
const BASIC_CONSTRAINTS = '2.5.29.19'
const NAME_CONSTRAINTS = '2.5.29.30'
const EMAIL_PROTECTION = '1.3.6.1.5.5.7.3.4'
const ANY_USAGE = '2.5.29.37.0'
const RFC822_NAME = 1

/** MD2, MD5 and SHA-1 with RSA, DSA and ECDSA. */
const WEAK_SIGNATURES: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.2',
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10040.4.3',
  '1.2.840.10045.4.1',
])
export const RSA_PSS = '1.2.840.113549.1.1.10'
/** The default hash of RSA-PSS (RFC 4055, section 3.1). */
const SHA1 = '1.3.14.3.2.26'
const MIN_RSA_BITS = 2048

const MAX_NAME_LENGTH = 200
const MAX_ADDRESSES = 20
const MAX_PATH = 8
/** Certificates with the same name could otherwise cause a path search of exponential length. */
const MAX_CHECKS = 40

/** A certificate with its two readers: `pkijs` for the fields, Node for names and signatures. */
export interface ParsedCertificate {
  fields: Certificate
  x509: X509Certificate
}

export const parseCertificate = (fields: Certificate): ParsedCertificate => ({
  fields,
  // The schema contains the original bytes of the signed part.
  x509: new X509Certificate(Buffer.from(fields.toSchema().toBER())),
})

const toText = (value: unknown): string =>
  (typeof value === 'string' ? value : '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
    .replace(/[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '')
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()

const readNames = ({ typesAndValues }: Certificate['subject'], type: string): string[] =>
  typesAndValues.filter((each) => each.type === type).map(({ value }) => toText(value.valueBlock.value))

const readExtension = ({ fields }: ParsedCertificate, id: string): unknown =>
  fields.extensions?.find(({ extnID }) => extnID === id)?.parsedValue

export const readCertificateName = ({ fields }: ParsedCertificate): string =>
  readNames(fields.subject, COMMON_NAME)[0] ?? ''

export const readIssuer = ({ fields }: ParsedCertificate): string =>
  [...readNames(fields.issuer, COMMON_NAME), ...readNames(fields.issuer, ORGANIZATION)][0] ?? ''

/** The addresses of a certificate: alternative names, and the older attribute of the subject. */
export const readAddressesOf = (certificate: ParsedCertificate): string[] => {
  const names = readExtension(certificate, SUBJECT_ALT_NAME)
  const alternatives =
    names instanceof GeneralNames || (names && typeof names === 'object' && 'altNames' in names)
      ? (names as { altNames: { type: number; value: unknown }[] }).altNames
          .filter(({ type }) => type === RFC822_NAME)
          .map(({ value }) => toText(value))
      : []
  const all = [...alternatives, ...readNames(certificate.fields.subject, EMAIL_ADDRESS)]
  return [...new Set(all.filter((address) => address.includes('@')))].slice(0, MAX_ADDRESSES)
}

const isValidAt = ({ x509 }: ParsedCertificate, time: number): boolean =>
  x509.validFromDate.getTime() <= time && time <= x509.validToDate.getTime()

/** A certificate without this extension may serve any purpose. */
const allowsMail = ({ x509 }: ParsedCertificate): boolean =>
  // Node calls the extended key usage `keyUsage`.
  x509.keyUsage === undefined ||
  x509.keyUsage.some((usage) => usage === EMAIL_PROTECTION || usage === ANY_USAGE)

const DIGITAL_SIGNATURE = 0x80
const NON_REPUDIATION = 0x40

const allowsSignatures = (certificate: ParsedCertificate): boolean => {
  const usage = readExtension(certificate, KEY_USAGE) as
    | { valueBlock?: { valueHexView: Uint8Array } }
    | undefined
  if (!usage?.valueBlock) return true
  return ((usage.valueBlock.valueHexView[0] ?? 0) & (DIGITAL_SIGNATURE | NON_REPUDIATION)) !== 0
}

/** `below` is the number of authorities between this one and the certificate of the signer. */
const isAuthority = (certificate: ParsedCertificate, below: number): boolean => {
  const constraints = readExtension(certificate, BASIC_CONSTRAINTS)
  const limit = constraints instanceof BasicConstraints ? constraints.pathLenConstraint : undefined
  return (
    certificate.x509.ca &&
    allowsMail(certificate) &&
    (typeof limit !== 'number' || below <= limit) &&
    // Name constraints are not evaluated. An authority that has them is therefore not trusted.
    !certificate.fields.extensions?.some(({ extnID }) => extnID === NAME_CONSTRAINTS)
  )
}

const isWeak = ({ fields, x509 }: ParsedCertificate): boolean => {
  const { algorithmId, algorithmParams } = fields.signatureAlgorithm
  const isWeakPss =
    algorithmId === RSA_PSS &&
    new RSASSAPSSParams({ schema: algorithmParams }).hashAlgorithm.algorithmId === SHA1
  const { asymmetricKeyType, asymmetricKeyDetails } = x509.publicKey
  const isShort =
    asymmetricKeyType?.startsWith('rsa') === true && (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS
  return isWeakPss || isShort || WEAK_SIGNATURES.has(algorithmId)
}

/** Trusted authorities by their name. */
export type RootStore = ReadonlyMap<string, readonly X509Certificate[]>

export const createRootStore = (pems: readonly string[]): RootStore =>
  Map.groupBy(
    pems.map((pem) => new X509Certificate(pem)),
    ({ subject }) => subject,
  )

let nodeRoots: RootStore | undefined
/** The authorities that Node trusts. Parsed once for each thread. */
export const loadNodeRoots = (): RootStore => {
  nodeRoots ??= createRootStore(rootCertificates)
  return nodeRoots
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/**
 * Finds a path from the certificate to a root. Returns the certificates of the message on this path, and undefined if
 * there is none.
 */
const findPath = (
  leaf: ParsedCertificate,
  others: readonly ParsedCertificate[],
  { roots, time }: TrustOptions,
): ParsedCertificate[] | undefined => {
  let checks = 0
  const extend = (path: ParsedCertificate[]): ParsedCertificate[] | undefined => {
    const { x509 } = path.at(-1) as ParsedCertificate
    const root = roots.get(x509.issuer)?.find((each) => isIssuedBy(x509, each))
    if (root && root.validToDate.getTime() >= time) return path
    if (path.length >= MAX_PATH) return undefined
    for (const other of others) {
      if (path.includes(other) || !isAuthority(other, path.length - 1)) continue
      if (++checks > MAX_CHECKS) return undefined
      const found = isIssuedBy(x509, other.x509) ? extend([...path, other]) : undefined
      if (found) return found
    }
    return undefined
  }
  return extend([leaf])
}

export interface TrustOptions {
  roots: RootStore
  /** When the certificates must be valid, in milliseconds. */
  time: number
}

/** Lists why the certificate does not prove that the mail comes from this address. Empty if it does. */
export const findTrustProblems = (
  leaf: ParsedCertificate,
  others: readonly ParsedCertificate[],
  from: string,
  options: TrustOptions,
): SecurityReason[] => {
  const path = findPath(leaf, others, options)
  const chain = path ?? [leaf]
  const addresses = readAddressesOf(leaf).map((address) => address.toLowerCase())
  const problems: Partial<Record<SecurityReason, boolean>> = {
    untrusted_issuer: path === undefined,
    address_mismatch: !addresses.includes(from.toLowerCase()),
    certificate_expired: !chain.every((certificate) => isValidAt(certificate, options.time)),
    certificate_usage: !allowsMail(leaf) || !allowsSignatures(leaf),
    weak_algorithm: chain.some(isWeak),
  }
  return (Object.keys(problems) as SecurityReason[]).filter((reason) => problems[reason])
}
