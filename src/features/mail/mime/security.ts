import type { MessageSecurity } from '../messages/email-security.ts'
import type { MessagePart, Part } from './parts.ts'

const createSecurity = (
  security: Pick<MessageSecurity, 'kind' | 'protocol'> & Partial<MessageSecurity>,
): MessageSecurity => ({ status: 'unchecked', reasons: [], signer: null, attachmentIndex: null, ...security })

export const createEncrypted = (
  protocol: MessageSecurity['protocol'],
  attachmentIndex: number | null,
): MessageSecurity => createSecurity({ kind: 'encrypted', protocol, reasons: ['no_key'], attachmentIndex })

const OPENPGP_SIGNED = createSecurity({ kind: 'signed', protocol: 'openpgp', reasons: ['no_key'] })
/** The result for a signature whose structure cannot be read. */
export const UNREADABLE_SIGNATURE = createSecurity({
  kind: 'signed',
  protocol: 'smime',
  reasons: ['unreadable_signature'],
})

const SMIME_TYPE = /^application\/(?:x-)?pkcs7-mime$/
const SIGNATURE_TYPE = /^application\/(?:x-)?pkcs7-signature$/

const readFilename = ({ type, disposition }: Part): string =>
  disposition.parameters.get('filename') || type.parameters.get('name') || ''

/** Gateways send S/MIME as application/octet-stream. RFC 8551, section 3.2.1 then relies on the file name. */
const isNamed = (part: Part, extension: RegExp): boolean =>
  part.type.value === 'application/octet-stream' && extension.test(readFilename(part))

const isSmime = (part: Part): boolean => SMIME_TYPE.test(part.type.value) || isNamed(part, /\.p7m$/i)

const isSmimeSignature = (part: Part): boolean =>
  SIGNATURE_TYPE.test(part.type.value) || isNamed(part, /\.p7s$/i)

const readSmimeType = (part: Part): MessageSecurity | null => {
  const type = part.type.parameters.get('smime-type')?.toLowerCase() ?? ''
  if (type.includes('enveloped')) return createEncrypted('smime', 0)
  return type === 'certs-only' || type === 'compressed-data' ? null : UNREADABLE_SIGNATURE
}

const ENCRYPTED_ARMOR = /^\s*-----BEGIN PGP MESSAGE-----\r?\n/
const SIGNED_ARMOR = /^\s*-----BEGIN PGP SIGNED MESSAGE-----\r?\n/
const ARMOR_END = '-----END PGP MESSAGE-----'

/** The file with the armored text, for a message that has no encrypted attachment. */
export const readArmor = (text: string | null): MessagePart | undefined => {
  if (text === null || !ENCRYPTED_ARMOR.test(text)) return undefined
  const end = text.indexOf(ARMOR_END)
  if (end < 0) return undefined
  return {
    filename: 'message.asc',
    contentType: 'application/pgp-encrypted',
    contentId: null,
    content: Buffer.from(`${text.slice(0, end).trimStart()}${ARMOR_END}\n`),
  }
}

/**
 * Names the signature or encryption of a whole message by its structure. Parts that are signed inside an unsigned
 * message do not count: their mark would seem to cover the rest too.
 */
export const classifySecurity = (
  root: Part,
  attachments: readonly MessagePart[],
  text: string | null,
): MessageSecurity | null => {
  const [first, second] = root.parts
  if (root.multipart === 'encrypted') return createEncrypted('openpgp', attachments.length - 1)
  if (root.multipart === 'signed') {
    if (!first || !second || root.parts.length !== 2) return null
    if (isSmimeSignature(second)) return UNREADABLE_SIGNATURE
    return second.type.value === 'application/pgp-signature' ? OPENPGP_SIGNED : null
  }
  if (root.multipart === undefined && isSmime(root)) return readSmimeType(root)
  if (text !== null && SIGNED_ARMOR.test(text)) return OPENPGP_SIGNED
  return null
}

/** Whether a message must be read in a worker thread, which loads the ASN.1 library. */
export const hasSmimeSignature = (security: MessageSecurity | null): boolean =>
  security?.kind === 'signed' && security.protocol === 'smime'
