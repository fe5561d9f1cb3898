import { createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyRing } from './keys.ts'

export const SIGNATURE_HEADER = 'X-Factotum-Signature'

export type SystemMailKind = 'reset' | 'notice'

export interface SignedMail {
  kind: SystemMailKind
  id: string
}

/**
 * Marks mail that the service itself sends. The value depends on no other part of the message: relays rewrite the
 * Message-ID, the recipients, the subject and the body.
 */
export interface MailSignature {
  /** The value of the header. `id` consists of base64url characters. */
  sign(mail: SignedMail): string
  /** All signatures in a text that were made with the current or the previous key. */
  find(text: string): SignedMail[]
}

// No whitespace: a relay folds a header line at whitespace only.
const VALUE = /v1\.(reset|notice)\.([\w-]{16,64})\.([\w-]{43})/g
/** Bounds the work for a message that consists of forged signatures. */
const MOST_VALUES = 100

const computeMac = (keys: KeyRing, { kind, id }: SignedMail): Buffer =>
  createHmac('sha256', keys.mail).update(`v1.${kind}.${id}`).digest()

export const createMailSignature = (keys: KeyRing, previousKeys: KeyRing | null): MailSignature => {
  const accepted = previousKeys === null ? [keys] : [keys, previousKeys]
  return {
    sign: (mail) => `v1.${mail.kind}.${mail.id}.${computeMac(keys, mail).toString('base64url')}`,

    find(text) {
      const found: SignedMail[] = []
      for (const [, kind, id, mac] of text.matchAll(VALUE).take(MOST_VALUES)) {
        const mail = { kind: kind as SystemMailKind, id: id as string }
        const given = Buffer.from(mac as string, 'base64url')
        if (accepted.some((each) => timingSafeEqual(computeMac(each, mail), given))) found.push(mail)
      }
      return found
    },
  }
}
