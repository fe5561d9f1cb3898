import { Suspense } from 'react'
import { useLazy } from '../../../ui/use-lazy.ts'
import type { Email } from '../folders.ts'
import { useFindings } from './insight/use-insight.ts'

const loadCard = () =>
  import('./reservation-card.tsx').then(({ ReservationCard }) => ({ default: ReservationCard }))

/** Loaded on first use, because few emails contain a reservation. */
export const Reservations = ({ email }: { email: Email }) => {
  const { data: found } = useFindings(email)
  const ReservationCard = useLazy(loadCard)
  if (!found || found.reservations.length === 0) return null
  return (
    <Suspense fallback={null}>
      <ReservationCard email={email} />
    </Suspense>
  )
}
