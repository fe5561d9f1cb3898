import type { EmailSecurity } from '../../features/mail/reading/security-notice.tsx'

type Reason = EmailSecurity['reasons'][number]

export const label = 'Signatur und Verschlüsselung'
export const verified = (name: string) => `Signiert von ${name}, geprüft`
export const unverified = 'Gültige Signatur, Unterzeichner nicht bestätigt'
export const invalid = 'Signatur passt nicht: Die Nachricht wurde verändert'
export const unchecked = {
  smime: 'Mit S/MIME signiert, nicht geprüft',
  openpgp: 'Mit OpenPGP signiert, nicht geprüft',
}
export const encrypted = {
  smime: 'Mit S/MIME verschlüsselt',
  openpgp: 'Mit OpenPGP verschlüsselt',
}
export const encryptedAbout = 'Öffne die Datei in einem Programm, das deinen Schlüssel hat.'
export const download = (filename: string) => `${filename} herunterladen`
export const details = 'Details'

export const reasons: Record<Reason, string> = {
  untrusted_issuer: 'Keine bekannte Stelle hat das Zertifikat ausgestellt.',
  address_mismatch: 'Das Zertifikat gilt für eine andere Adresse als die des Absenders.',
  certificate_expired: 'Das Zertifikat war beim Senden der Nachricht nicht gültig.',
  certificate_usage: 'Das Zertifikat ist nicht zum Signieren von E-Mails bestimmt.',
  weak_algorithm: 'Die Signatur verwendet ein veraltetes, schwaches Verfahren.',
  content_changed: 'Der Inhalt wurde nach dem Signieren verändert.',
  signature_mismatch: 'Die Signatur gehört nicht zu diesem Zertifikat.',
  no_certificate: 'Die Nachricht enthält das Zertifikat des Unterzeichners nicht.',
  unsupported_algorithm: 'Die Signatur verwendet ein unbekanntes Verfahren.',
  unreadable_signature: 'Die Signatur ist beschädigt oder nicht lesbar.',
  no_key: 'Factotum speichert keine Schlüssel.',
}
export const noRevocation = 'Factotum prüft nicht, ob das Zertifikat widerrufen wurde.'

export const fields = {
  signer: 'Signiert von',
  addresses: 'Adresse',
  issuer: 'Ausgestellt von',
  valid: 'Gültig',
  algorithm: 'Verfahren',
  signedAt: 'Signiert am',
}
export const validity = ({ from, until }: { from: string; until: string }) => `${from} bis ${until}`
export const unnamed = 'unbekannt'
