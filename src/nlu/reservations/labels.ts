import { splitMail } from '../history.ts'
import { quoteText, type ReservationEvidence } from './reservation.ts'

/** A value that follows a label, with its position in the text. */
export interface LabelledValue {
  value: string
  offset: number
  /** The label and the value. */
  evidence: ReservationEvidence
}

/** Labels and values stand on one line, or in two cells of a table, which become two lines. */
const BETWEEN = String.raw`\s{0,3}(?:(?:is|ist|lautet|number|no\.?|nr\.?|code|id|est|č\.)(?!\p{L}))?[ \t]{0,20}[:#]?\s{0,60}[*#]?`

/** Finds all values after a label. `value` is a pattern without groups. */
export const findLabelled = (text: string, label: string, value: string, flags = 'giu'): LabelledValue[] =>
  [
    ...text.matchAll(new RegExp(`(?<![\\p{L}\\d])(?:${label})${BETWEEN}(${value})(?![\\p{L}\\d])`, flags)),
  ].map((match) => {
    const found = match[1] as string
    return {
      value: found,
      offset: match.index + match[0].length - found.length,
      evidence: quoteText(text, match.index, match.index + match[0].length),
    }
  })

const REFERENCE_LABEL = [
  'booking (?:reference|code|number|no\\.?|ref\\.?|id)',
  'reservation (?:number|code|no\\.?|id)',
  'confirmation (?:number|code|no\\.?)',
  'reference (?:number|code)',
  'record locator',
  'pnr',
  'buchungs(?:code|nummer|nr\\.?|referenz)',
  'reservierungs(?:code|nummer|nr\\.?)',
  'bestätigungs(?:code|nummer|nr\\.?)',
  'auftragsnummer',
  'auftrags-?nr\\.?',
  'dossier(?:nummer| number)?',
  'your reference',
  'confirmation',
  '(?:référence|n° ?|numéro) (?:de |du )?(?:dossier|réservation|commande|confirmation)',
  'code de réservation',
  '(?:código|número|localizador|n[.º°]) (?:de |da )?(?:la )?(?:reserva|confirmación|confirmação)',
  'localizador',
  '(?:codice|numero) (?:di )?(?:prenotazione|conferma)',
  '(?:boekings|reserverings|bevestigings)(?:nummer|code)',
  '(?:boknings|bestillings|booking|bokings)(?:nummer|nr\\.?|kod|kode|referens)',
  'numer (?:rezerwacji|zamówienia|biletu)',
  '(?:číslo|kód) (?:rezervac[ie]e?|rezervácie|objednávky|jízdenky|lístka)',
  '(?:ticket|reservation|itinerary|order|trip) (?:number|no\\.?|code|id)',
  'dossier voyage',
  '(?:e-?|electronic |online[- ]?)ticket(?=[ \\t]{0,4}[:#\\d])',
  'jízdenka',
  '(?:ticket|fahrkarten|bestell)(?:nummer|nr\\.?)',
].join('|')

/** Finds the booking reference: letters in upper case and digits. */
export const findReference = (text: string): LabelledValue | undefined =>
  findLabelled(text, REFERENCE_LABEL, '\\d{3,4}(?:\\.\\d{3})+|[\\p{L}\\d][\\p{L}\\d-]{3,19}').find(
    ({ value }) => /^[A-Z\d.-]+$/.test(value) && !/^\d{1,4}$/.test(value),
  )

const ADDRESS = /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,}|\b(?:wrote|schrieb)\b/i

/**
 * Replaces quoted history and the signature with spaces. A block of "From: Berlin", "To: Rome", "Date: 2 May"
 * looks like the header of a quoted mail, but has no address.
 */
export const withoutHistory = (text: string): string => {
  const lines = splitMail(text)
  let isKept = false
  return lines
    .map(({ kind, from, to }, index) => {
      const line = text.slice(from, to)
      if (kind === 'quote' && lines[index - 1]?.kind !== 'quote')
        isKept = !/^\s{0,3}>/.test(line) && !ADDRESS.test(text.slice(from, from + 600))
      const isOwn = kind === 'own' || (kind === 'quote' && isKept && !/^\s{0,3}>/.test(line))
      return isOwn ? line : ' '.repeat(to - from)
    })
    .join('\n')
}

const CANCELLED =
  /(?<!\p{L})(?:(?:has|have|was|were) been (?:cancelled|canceled)|(?:is|was|are) (?:now )?(?:cancelled|canceled)|(?:booking|flight|reservation|order|trip|train|stay) (?:cancelled|canceled)|cancellation (?:confirmation|of your)|wurden? (?:leider )?(?:storniert|annulliert|gestrichen)|ist storniert|storno(?:bestätigung|rechnung)|stornierung (?:ihrer|ihres|deiner|deines)|stornierungsbestätigung|fällt aus)(?!\p{L})/iu

/** Only the subject and the beginning count: the terms of a booking mention cancellation too. */
export const isCancellation = (subject: string, text: string): boolean =>
  CANCELLED.test(subject) || CANCELLED.test(text.trimStart().slice(0, 600))
