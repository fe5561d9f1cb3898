import type { TableKeys } from './keys.ts'

/** A reservation as one email shows it. All rows with the same key have the facts of the newest email. */
export interface ReservationRow {
  emailId: number
  /** Digest of the booking reference or number. The same in every email about the reservation. */
  key: string
  userId: number
  type: string
  status: string
  /** Departure, check-in or start. For a parcel the delivery, for an invoice the due date. */
  startAt: string
  endAt: string
  mailDate: string
  /** JSON: see `StoredFacts` in features/mail-analysis/reservation-schema.ts. */
  facts: string
}

/** An email that is still to be read for reservations. */
export interface ReservationMailRow {
  emailId: number
  userId: number
}

export interface ReservationsTables {
  reservations: ReservationRow
  reservation_mails: ReservationMailRow
}

export const reservationsKeys: TableKeys<ReservationsTables> = {
  reservations: ['emailId', 'userId', 'key'],
  reservation_mails: ['emailId'],
}
