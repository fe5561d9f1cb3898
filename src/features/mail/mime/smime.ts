import { constants, createHash, verify } from 'node:crypto'
import { fromBER } from 'asn1js'
import {
  type Attribute,
  Certificate,
  ContentInfo,
  IssuerAndSerialNumber,
  RSASSAPSSParams,
  SignedData,
  type SignerInfo,
} from 'pkijs'
import type { MessageSecurity, SecurityReason, Signer } from '../messages/email-security.ts'
import {
  findTrustProblems,
  loadNodeRoots,
  type ParsedCertificate,
  parseCertificate,
  RSA_PSS,
  readAddressesOf,
  readCertificateName,
  readIssuer,
  type TrustOptions,
} from './certificates.ts'
import { readHeader } from './header-fields.ts'
import { decodeTransfer, type ParsedMessage, readMessage } from './message.ts'
import { type Part, splitParts } from './parts.ts'
import { createEncrypted, hasSmimeSignature, UNREADABLE_SIGNATURE } from './security.ts'

/*
 * S/MIME (RFC 8551) signatures in the Cryptographic Message Syntax (RFC 5652). `pkijs` reads the structures, Node
 * verifies. Loaded in worker threads only, because input from strangers controls the cost.
 */

/** A streamed message of 25 MB has a node for each kilobyte. */
const ASN1_LIMITS = { maxDepth: 60, maxNodes: 60_000, maxContentLength: 32 * 1024 * 1024 }
/** A detached signature holds certificates only. */
const MAX_SIGNATURE_BYTES = 512 * 1024
const MAX_CERTIFICATES = 20
const MAX_SIGNERS = 4
/** Signed messages inside signed messages. The content of a deeper one stays a file. */
const MAX_NESTING = 3

const AUTH_ENVELOPED_DATA = '1.2.840.113549.1.9.16.1.23'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_TIME = '1.2.840.113549.1.9.5'
const SUBJECT_KEY_ID = '2.5.29.14'
const ED25519 = '1.3.101.112'

interface Digest {
  hash: string
  label: string
  isWeak?: boolean
}

const DIGESTS: Readonly<Record<string, Digest>> = {
  '1.2.840.113549.2.5': { hash: 'md5', label: 'MD5', isWeak: true },
  '1.3.14.3.2.26': { hash: 'sha1', label: 'SHA-1', isWeak: true },
  '2.16.840.1.101.3.4.2.1': { hash: 'sha256', label: 'SHA-256' },
  '2.16.840.1.101.3.4.2.2': { hash: 'sha384', label: 'SHA-384' },
  '2.16.840.1.101.3.4.2.3': { hash: 'sha512', label: 'SHA-512' },
  '2.16.840.1.101.3.4.2.4': { hash: 'sha224', label: 'SHA-224' },
}

/** Signature algorithms that name their hash. Others use the digest of the signer. */
const SIGNATURE_HASHES: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
}
const WEAK_HASHES: readonly string[] = ['md5', 'sha1']
/** Algorithms that use the digest of the signer: RSA, and keys of elliptic curves. */
const PLAIN_ALGORITHMS: readonly string[] = ['1.2.840.113549.1.1.1', '1.2.840.10045.2.1']

interface CheckedSignature {
  status: MessageSecurity['status']
  reasons: SecurityReason[]
  signer: Signer | null
}

const unchecked = (reason: SecurityReason, signer: Signer | null = null): CheckedSignature => ({
  status: 'unchecked',
  reasons: [reason],
  signer,
})

const parseContentInfo = (der: Uint8Array<ArrayBuffer>): ContentInfo => {
  const { result, offset } = fromBER(der, ASN1_LIMITS)
  if (offset < 0) throw new Error('the signature is not valid ASN.1')
  return new ContentInfo({ schema: result })
}

const findAttribute = ({ signedAttrs }: SignerInfo, type: string): Attribute['values'][number] | undefined =>
  signedAttrs?.attributes.find((attribute) => attribute.type === type)?.values[0]

const isCertificateOf = ({ fields }: ParsedCertificate, { sid }: SignerInfo): boolean => {
  if (sid instanceof IssuerAndSerialNumber)
    return fields.issuer.isEqual(sid.issuer) && fields.serialNumber.isEqual(sid.serialNumber)
  const keyId = fields.extensions?.find(({ extnID }) => extnID === SUBJECT_KEY_ID)?.parsedValue
  const wanted = sid?.valueBlock?.valueHexView ?? sid?.valueBlock?.value?.[0]?.valueBlock?.valueHexView
  if (!keyId?.valueBlock?.valueHexView || !wanted) return false
  return Buffer.from(keyId.valueBlock.valueHexView).equals(Buffer.from(wanted))
}

/** The signature covers the attributes, which contain the digest of the content (RFC 5652, section 5.4). */
const verifySignature = (
  info: SignerInfo,
  { x509 }: ParsedCertificate,
  content: Buffer,
  digest: Digest,
): boolean | undefined => {
  const { algorithmId, algorithmParams } = info.signatureAlgorithm
  const signed = info.signedAttrs ? Buffer.from(info.signedAttrs.encodedValue) : content
  const signature = Buffer.from(info.signature.getValue())
  const key = x509.publicKey
  if (algorithmId === ED25519) return verify(null, signed, key, signature)
  if (algorithmId === RSA_PSS) {
    const { hashAlgorithm, saltLength } = new RSASSAPSSParams({ schema: algorithmParams })
    const hash = DIGESTS[hashAlgorithm.algorithmId]?.hash
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return hash === undefined ? undefined : verify(hash, signed, { key, padding, saltLength }, signature)
  }
  const hash =
    SIGNATURE_HASHES[algorithmId] ?? (PLAIN_ALGORITHMS.includes(algorithmId) ? digest.hash : undefined)
  return hash === undefined ? undefined : verify(hash, signed, key, signature)
}

const SET_TAG = 0x31

/** Undefined if the content can be compared with no digest. */
const hasDigestOf = (info: SignerInfo, content: Buffer, { hash }: Digest): boolean | undefined => {
  // Without attributes, a forged content could be the attributes of another signature.
  if (!info.signedAttrs) return content[0] === SET_TAG ? undefined : true
  const expected = findAttribute(info, MESSAGE_DIGEST)?.valueBlock?.valueHexView
  if (!expected || !findAttribute(info, CONTENT_TYPE)) return undefined
  return createHash(hash).update(content).digest().equals(Buffer.from(expected))
}

const toSigner = (certificate: ParsedCertificate, info: SignerInfo, { label }: Digest): Signer => {
  const signedAt = findAttribute(info, SIGNING_TIME)?.toDate?.() as Date | undefined
  const { validFromDate, validToDate } = certificate.x509
  return {
    name: readCertificateName(certificate),
    addresses: readAddressesOf(certificate),
    issuer: readIssuer(certificate),
    validFrom: validFromDate.toISOString(),
    validUntil: validToDate.toISOString(),
    algorithm: label,
    signedAt: signedAt && !Number.isNaN(signedAt.getTime()) ? signedAt.toISOString() : null,
  }
}

interface SignedContent {
  /** The signed bytes, in the forms that a server may have made of them. */
  contents: readonly Buffer[]
  from: string
  trust: TrustOptions
}

const usesWeakHash = ({ signatureAlgorithm: { algorithmId } }: SignerInfo, digest: Digest): boolean =>
  digest.isWeak === true || WEAK_HASHES.includes(SIGNATURE_HASHES[algorithmId] ?? '')

const checkSigner = (
  info: SignerInfo,
  certificates: readonly ParsedCertificate[],
  { contents, from, trust }: SignedContent,
): CheckedSignature => {
  const certificate = certificates.find((each) => isCertificateOf(each, info))
  if (!certificate) return unchecked('no_certificate')
  const digest = DIGESTS[info.digestAlgorithm.algorithmId]
  if (!digest) return unchecked('unsupported_algorithm')
  const signer = toSigner(certificate, info, digest)
  const matches = contents.map((content) => hasDigestOf(info, content, digest))
  if (matches.every((match) => match === undefined)) return unchecked('unreadable_signature', signer)
  const candidates = contents.filter((_, index) => matches[index])
  if (candidates.length === 0) return { status: 'invalid', reasons: ['content_changed'], signer }
  const results = candidates.map((content) => verifySignature(info, certificate, content, digest))
  if (results.includes(undefined)) return unchecked('unsupported_algorithm', signer)
  if (!results.includes(true)) {
    // Without attributes, only the signature itself can show a change.
    const reason = info.signedAttrs ? 'signature_mismatch' : 'content_changed'
    return { status: 'invalid', reasons: [reason], signer }
  }
  const others = certificates.filter((each) => each !== certificate)
  const problems = findTrustProblems(certificate, others, from, trust)
  const reasons: SecurityReason[] = usesWeakHash(info, digest)
    ? [...new Set<SecurityReason>([...problems, 'weak_algorithm'])]
    : problems
  return { status: reasons.length === 0 ? 'verified' : 'unverified', reasons, signer }
}

const RANKS: readonly MessageSecurity['status'][] = ['verified', 'unverified', 'invalid', 'unchecked']

/** Checks the signers of a message. The best result counts, because each signature covers the whole content. */
const checkSignature = (signedData: SignedData, content: SignedContent): CheckedSignature => {
  const certificates = (signedData.certificates ?? [])
    .filter((each): each is Certificate => each instanceof Certificate)
    .slice(0, MAX_CERTIFICATES)
    .map(parseCertificate)
  const results = signedData.signerInfos
    .slice(0, MAX_SIGNERS)
    .map((info) => checkSigner(info, certificates, content))
    .toSorted((a, b) => RANKS.indexOf(a.status) - RANKS.indexOf(b.status))
  return results[0] ?? unchecked('no_certificate')
}

const toSecurity = (checked: CheckedSignature): MessageSecurity => ({
  kind: 'signed',
  protocol: 'smime',
  attachmentIndex: null,
  ...checked,
})

const LF = 0x0a
const CR = 0x0d

/** Canonical line breaks (RFC 8551, section 3.1.1). Files often have bare line feeds. */
const toCanonical = (bytes: Buffer): Buffer => {
  let missing = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1))
    if (bytes[at - 1] !== CR) missing++
  if (missing === 0) return bytes
  const result = Buffer.alloc(bytes.length + missing)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF && bytes[at - 1] !== CR) result[length++] = CR
    result[length++] = bytes[at] as number
  }
  return result
}

/** The line break before a delimiter belongs to the delimiter (RFC 2046, section 5.1.1). */
const sliceSignedPart = (raw: Buffer, { headerStart, partEnd }: Part): Buffer => {
  const end = raw[partEnd - 1] === LF ? partEnd - (raw[partEnd - 2] === CR ? 2 : 1) : partEnd
  return raw.subarray(headerStart, end)
}

const decodePart = (raw: Buffer, part: Part): Buffer<ArrayBuffer> => {
  const body = raw.subarray(part.start, part.end)
  return part.encoding === 'binary' ? Buffer.from(body) : decodeTransfer(body, part.encoding)
}

export interface SignatureOptions {
  /** The current time, in milliseconds. */
  now: number
  /** The trusted authorities. Default: those of Node. */
  roots?: TrustOptions['roots']
}

/** The certificate had to be valid when the message was sent. A date in the future does not count. */
const toTrust = (
  { date }: ParsedMessage,
  { now, roots = loadNodeRoots() }: SignatureOptions,
): TrustOptions => ({
  roots,
  time: Math.min(date?.getTime() ?? now, now),
})

const checkDetached = (
  raw: Buffer,
  root: Part,
  message: ParsedMessage,
  trust: TrustOptions,
): MessageSecurity => {
  const [content, signature] = root.parts as [Part, Part]
  const der = decodePart(raw, signature)
  if (der.length > MAX_SIGNATURE_BYTES) return UNREADABLE_SIGNATURE
  const info = parseContentInfo(der)
  if (info.contentType !== ContentInfo.SIGNED_DATA) return UNREADABLE_SIGNATURE
  const bytes = sliceSignedPart(raw, content)
  const canonical = toCanonical(bytes)
  return toSecurity(
    checkSignature(new SignedData({ schema: info.content }), {
      contents: canonical === bytes ? [bytes] : [canonical, bytes],
      from: message.from?.address ?? '',
      trust,
    }),
  )
}

/** Replaces the bodies by those of the signed content. The fields of the message itself stay. */
const openEnvelope = (
  raw: Buffer,
  root: Part,
  message: ParsedMessage,
  options: SignatureOptions,
  nesting: number,
): ParsedMessage => {
  const info = parseContentInfo(decodePart(raw, root))
  if (info.contentType === ContentInfo.ENVELOPED_DATA || info.contentType === AUTH_ENVELOPED_DATA)
    return { ...message, security: createEncrypted('smime', 0) }
  if (info.contentType !== ContentInfo.SIGNED_DATA) return { ...message, security: null }
  const signedData = new SignedData({ schema: info.content })
  const { eContent } = signedData.encapContentInfo
  // A list of certificates has no content.
  if (!eContent) return { ...message, security: null }
  const content = Buffer.from(eContent.getValue())
  const checked = checkSignature(signedData, {
    contents: [content],
    from: message.from?.address ?? '',
    trust: toTrust(message, options),
  })
  const inner = nesting < MAX_NESTING ? readNested(content, options, nesting + 1) : readMessage(content)
  const { text, html, attachments, isTruncated } = inner
  const security = inner.security?.kind === 'encrypted' ? inner.security : toSecurity(checked)
  return { ...message, text, html, attachments, isTruncated, security }
}

const readNested = (raw: Buffer, options: SignatureOptions, nesting: number): ParsedMessage => {
  const message = readMessage(raw)
  if (!hasSmimeSignature(message.security)) return message
  const { root } = splitParts(raw, readHeader(raw))
  try {
    return root.multipart === undefined
      ? openEnvelope(raw, root, message, options, nesting)
      : { ...message, security: checkDetached(raw, root, message, toTrust(message, options)) }
  } catch {
    return { ...message, security: UNREADABLE_SIGNATURE }
  }
}

/** Parses a message, checks its S/MIME signature and opens opaque-signed content. Never fails, like `readMessage`. */
export const readSignedMessage = (raw: Buffer, options: SignatureOptions): ParsedMessage =>
  readNested(raw, options, 1)
