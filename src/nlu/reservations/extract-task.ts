import {
  extractReservations,
  type KeyedReservation,
  type ReservationInput,
  type ReservationOptions,
} from './extract.ts'

export interface ExtractionRequest {
  mail: ReservationInput
  options: ReservationOptions
}

/** Entry point for a worker thread, which passes one argument. */
export const extract = ({ mail, options }: ExtractionRequest): KeyedReservation[] =>
  extractReservations(mail, options)
