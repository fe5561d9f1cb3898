import { RESERVATION_STATUSES, RESERVATION_TYPES } from '../../nlu/reservations/reservation.ts'
import { id, instant, json, oneOf, own, portable, text } from '../../platform/portable/table.ts'
import type { DataPart } from '../accounts/data/parts.ts'
import { StoredFacts } from './reservation-schema.ts'

const rows = portable('reservations', {
  file: 'reservations.jsonl',
  isAdded: true,
  columns: {
    emailId: id('emails'),
    key: text,
    userId: own,
    type: oneOf(...RESERVATION_TYPES),
    status: oneOf(...RESERVATION_STATUSES),
    startAt: instant,
    endAt: instant,
    mailDate: instant,
    facts: json(StoredFacts),
  },
})

export const reservationsPart: DataPart = {
  folder: 'reservations',
  tables: [rows],
  others: ['reservation_mails'],
}
