import type { Static } from 'typebox'
import Type from 'typebox'
import { Instant, Nullable, OpaqueId } from '../../../platform/http/shapes.ts'

/* The signature or encryption of an email: S/MIME (RFC 8551) or OpenPGP (RFC 3156). */

export const SECURITY_REASONS = [
  'untrusted_issuer',
  'address_mismatch',
  'certificate_expired',
  'certificate_usage',
  'weak_algorithm',
  'content_changed',
  'signature_mismatch',
  'no_certificate',
  'unsupported_algorithm',
  'unreadable_signature',
  'no_key',
] as const
export type SecurityReason = (typeof SECURITY_REASONS)[number]

export const Signer = Type.Object(
  {
    name: Type.String({ examples: ['Ana Ruiz'], description: 'The common name. Empty if there is none' }),
    addresses: Type.Array(Type.String(), {
      examples: [['ana@example.org']],
      description: 'The email addresses of the certificate',
    }),
    issuer: Type.String({ examples: ['Example Mail CA'] }),
    validFrom: Instant,
    validUntil: Instant,
    algorithm: Type.String({ examples: ['SHA-256'], description: 'The digest of the signature' }),
    signedAt: Nullable({ ...Instant, description: 'The time that the signer claims' }),
  },
  { title: 'EmailSigner', description: 'The certificate that belongs to the signature' },
)
export type Signer = Static<typeof Signer>

export const EmailSecurity = Type.Object(
  {
    kind: Type.Enum(['signed', 'encrypted'], { type: 'string', examples: ['signed'] }),
    protocol: Type.Enum(['smime', 'openpgp'], { type: 'string', examples: ['smime'] }),
    status: Type.Enum(['verified', 'unverified', 'invalid', 'unchecked'], {
      type: 'string',
      examples: ['unverified'],
      description:
        '`verified`: the signature is valid, a known authority issued the certificate, and its address is the sender’s. `unverified`: the signature is valid, but the signer is not verified. `invalid`: the signature does not match. `unchecked`: the service cannot check or decrypt it',
    }),
    reasons: Type.Array(Type.Enum([...SECURITY_REASONS], { type: 'string' }), {
      examples: [['untrusted_issuer']],
      description: 'Why the status is not `verified`',
    }),
    signer: Nullable(Signer),
    attachmentId: Nullable({
      ...OpaqueId,
      description: 'The encrypted file, to decrypt with another program. Null for signed emails',
    }),
  },
  {
    title: 'EmailSecurity',
    description: 'The signature or encryption of the email. Null if there is none',
  },
)
export type EmailSecurity = Static<typeof EmailSecurity>

/** The security of a message whose attachments have no ids yet. */
export type MessageSecurity = Omit<EmailSecurity, 'attachmentId'> & { attachmentIndex: number | null }

export const toEmailSecurity = (
  security: MessageSecurity | null,
  attachmentIds: readonly string[],
): EmailSecurity | null => {
  if (security === null) return null
  const { attachmentIndex, ...rest } = security
  return { ...rest, attachmentId: attachmentIds[attachmentIndex ?? -1] ?? null }
}
