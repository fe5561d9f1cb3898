import { lazy, Suspense, useMemo } from 'react'
import { useServices } from '../../../api/context.tsx'
import type { Email } from '../folders.ts'
import { useFindings } from './insight/use-insight.ts'

const loadCard = () =>
  import('./reservation-card.tsx').then(({ ReservationCard }) => ({ default: ReservationCard }))

/** Loaded on first use, because few emails contain a reservation. */
export const Reservations = ({ email }: { email: Email }) => {
  const { connectivity } = useServices()
  const { data: found } = useFindings(email)
  const ReservationCard = useMemo(() => lazy(() => connectivity.load(loadCard)), [connectivity])
  if (!found || found.reservations.length === 0) return null
  return (
    <Suspense fallback={null}>
      <ReservationCard email={email} />
    </Suspense>
  )
}
