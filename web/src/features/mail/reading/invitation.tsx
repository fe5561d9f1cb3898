import { lazy, Suspense, useMemo } from 'react'
import { useServices } from '../../../api/context.tsx'
import type { Email } from '../folders.ts'

const CALENDAR = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/

export const hasInvitation = ({ attachments }: Email): boolean =>
  attachments.some(({ contentType, filename }) => CALENDAR.test(contentType) || /\.ics$/i.test(filename))

const loadCard = () =>
  import('./invitation-card.tsx').then(({ InvitationCard }) => ({ default: InvitationCard }))

/** Loaded on first use, because few emails contain an invitation. */
export const Invitation = ({ email }: { email: Email }) => {
  const { connectivity } = useServices()
  const InvitationCard = useMemo(() => lazy(() => connectivity.load(loadCard)), [connectivity])
  return (
    <Suspense fallback={null}>
      <InvitationCard email={email} />
    </Suspense>
  )
}
