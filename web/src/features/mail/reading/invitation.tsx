import { Suspense } from 'react'
import { useLazy } from '../../../ui/use-lazy.ts'
import type { Email } from '../folders.ts'
import { useFindings } from './insight/use-insight.ts'

const loadCard = () =>
  import('./invitation-card.tsx').then(({ InvitationCard }) => ({ default: InvitationCard }))

/** Loaded on first use, because few emails contain an invitation. */
export const Invitation = ({ email }: { email: Email }) => {
  const { data: found } = useFindings(email)
  const InvitationCard = useLazy(loadCard)
  // The calendar file of a travel company is a reservation, which has its own card.
  if (found?.reservations.some(({ source }) => source === 'calendar')) return null
  return (
    <Suspense fallback={null}>
      <InvitationCard email={email} />
    </Suspense>
  )
}
