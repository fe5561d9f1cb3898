import { useQuery } from '@tanstack/react-query'
import { CalendarDays, Handshake, ListChecks, LogOut, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { roles } from '#locale/calendars'
import { sections } from '#locale/settings'
import * as common from '#locale/shared-texts'
import * as t from '#locale/shares'
import { useClient } from '../../../api/context.tsx'
import { type OfferedShare, offeredSharesQuery, useOfferActions } from '../../../api/shares.ts'
import { Page } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { ListCard } from '../../../ui/list-card.tsx'
import { rememberRowFocus } from '../../../ui/row-focus.ts'
import { Row } from '../../../ui/rows.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { usePendingDeletionIds, useUndoableDelete } from '../../../ui/use-undoable-delete.ts'
import { LeaveDialog } from '../../sharing/leave-dialog.tsx'

const { label, about } = sections.sharing

const DELETION_KIND = 'share-offer'
const ICONS = { taskList: ListChecks, calendar: CalendarDays } as const

const toHref = ({ kind, resourceId }: OfferedShare): string =>
  kind === 'taskList' ? `/tasks?list=${resourceId}` : '/calendar'

const ShareRow = ({ share, children }: { share: OfferedShare; children: ReactNode }) => {
  const Icon = ICONS[share.kind]
  return (
    <Row data-wraps="true" icon={Icon} title={share.name} actions={children}>
      <p className="row-notes">
        <span>{t.kinds[share.kind]}</span>
        <span>{t.ownedBy(share.owner)}</span>
        <span>{roles[share.role]}</span>
      </p>
    </Row>
  )
}

const useAnswers = () => {
  const { accept, decline } = useOfferActions()
  const notify = useNotify()
  const attempt = useAttempt()
  const deleteWithUndo = useUndoableDelete()
  const [, navigate] = useLocation()
  return {
    async accept(share: OfferedShare): Promise<void> {
      const restoreFocus = rememberRowFocus()
      await attempt(async () => {
        await accept(share.id)
        notify(t.acceptedNamed(share.name), {
          offer: { label: t.open, accept: () => navigate(toHref(share)) },
        })
      })
      restoreFocus()
    },
    /** A declined offer cannot be accepted any more, so the request waits until undo is no longer possible. */
    decline: ({ id, name }: OfferedShare): void =>
      deleteWithUndo({
        kind: DELETION_KIND,
        target: id,
        toastText: t.declinedNamed(name),
        undoneText: t.offerKept(name),
        describeFailure: t.notDeclined,
        send: () => decline(id, { keepalive: true }),
      }),
  }
}

const OffersCard = () => {
  const query = useQuery(offeredSharesQuery(useClient()))
  const pendingIds = usePendingDeletionIds(DELETION_KIND)
  const { accept, decline } = useAnswers()
  const listOffers = (shares: readonly OfferedShare[]) =>
    shares.filter(({ id, status }) => status === 'pending' && !pendingIds.has(id))
  return (
    <ListCard
      id="offers"
      title={t.offers}
      about={t.offersHelp}
      query={query}
      itemsOf={({ shares }) => listOffers(shares)}
      empty={{ icon: Handshake, title: t.noOffers, about: t.offersAppearHere }}
    >
      {(share) => (
        <ShareRow key={share.id} share={share}>
          <Button
            kind="primary"
            size="small"
            aria-label={t.acceptNamed(share.name)}
            onClick={() => void accept(share)}
          >
            {t.accept}
          </Button>
          <Button size="small" aria-label={t.declineNamed(share.name)} onClick={() => decline(share)}>
            {t.decline}
          </Button>
        </ShareRow>
      )}
    </ListCard>
  )
}

const SharedCard = () => {
  const query = useQuery(offeredSharesQuery(useClient()))
  const [left, setLeft] = useState<OfferedShare | null>(null)
  const listAccepted = (shares: readonly OfferedShare[]) =>
    shares.filter(({ status }) => status === 'accepted')
  return (
    <>
      <ListCard
        id="shared"
        title={t.sharedWithYou}
        about={t.sharedWithYouHelp}
        query={query}
        itemsOf={({ shares }) => listAccepted(shares)}
        empty={{ icon: Share2, title: t.nothingShared, about: t.nothingSharedHelp }}
      >
        {(share) => (
          <ShareRow key={share.id} share={share}>
            <Button size="small" aria-label={t.leaveNamed(share.name)} onClick={() => setLeft(share)}>
              <LogOut size={16} aria-hidden="true" />
              {t.leave}
            </Button>
          </ShareRow>
        )}
      </ListCard>
      <LeaveDialog
        share={left && { shareId: left.id, name: left.name, ownerName: left.owner.name }}
        onClose={() => setLeft(null)}
      />
    </>
  )
}

export const SharingSection = () => (
  <Page title={label} within={common.settings} about={about}>
    <OffersCard />
    <SharedCard />
  </Page>
)
