import type { EmailSecurity } from '../../features/mail/reading/security-notice.tsx'

type Reason = EmailSecurity['reasons'][number]

export const label = 'Signature and encryption'
export const verified = (name: string) => `Signed by ${name}, verified`
export const unverified = 'Valid signature, signer not verified'
export const invalid = 'Signature does not match: the message was changed'
export const unchecked = {
  smime: 'Signed with S/MIME, not checked',
  openpgp: 'Signed with OpenPGP, not checked',
}
export const encrypted = {
  smime: 'Encrypted with S/MIME',
  openpgp: 'Encrypted with OpenPGP',
}
export const encryptedAbout = 'Open the file in a program that has your key.'
export const download = (filename: string) => `Download ${filename}`
export const details = 'Details'

export const reasons: Record<Reason, string> = {
  untrusted_issuer: 'No known authority issued the certificate.',
  address_mismatch: 'The certificate is for another address than the sender’s.',
  certificate_expired: 'The certificate was not valid when the message was sent.',
  certificate_usage: 'The certificate is not meant for signing mail.',
  weak_algorithm: 'The signature uses an outdated, weak algorithm.',
  content_changed: 'The content was changed after signing.',
  signature_mismatch: 'The signature does not belong to this certificate.',
  no_certificate: 'The message does not contain the signer’s certificate.',
  unsupported_algorithm: 'The signature uses an unknown algorithm.',
  unreadable_signature: 'The signature is damaged or cannot be read.',
  no_key: 'Factotum does not store keys.',
}
export const noRevocation = 'Factotum does not check whether the certificate was revoked.'

export const fields = {
  signer: 'Signer',
  addresses: 'Address',
  issuer: 'Issued by',
  valid: 'Valid',
  algorithm: 'Algorithm',
  signedAt: 'Signed on',
}
export const validity = ({ from, until }: { from: string; until: string }) => `${from} to ${until}`
export const unnamed = 'unknown'
