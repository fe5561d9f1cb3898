import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarCheck, CalendarClock } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/mail'
import * as common from '#locale/shared-texts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import type { Email } from '../folders.ts'

type Card = Shape<'InvitationCard'>

const CALENDAR = /^(?:text\/(?:x-v)?calendar|application\/(?:ics|calendar))$/

export const hasInvitation = ({ attachments }: Email): boolean =>
  attachments.some(({ contentType, filename }) => CALENDAR.test(contentType) || /\.ics$/i.test(filename))

const STATES: Partial<Record<Card['state'], string>> = t.invitationStates

/** Label of the apply button; undefined if there is nothing to apply. */
const actionOf = ({ state, method }: Card): string | undefined => {
  if (state === 'new') return t.addToCalendar
  if (state === 'undone') return t.updateCalendar
  return state === 'waiting' && method !== 'COUNTER' ? t.updateCalendar : undefined
}

/** Meeting invitation of an email with its status. */
export const InvitationCard = ({ email }: { email: Email }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const { date, dateTime } = useDates()
  const [isBusy, setIsBusy] = useState(false)
  const { data: card } = useQuery({
    queryKey: ['calendar', 'invitation', email.id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET('/api/calendar/invitations/{emailId}', {
          params: { path: { emailId: email.id } },
          signal,
        }),
      ),
    retry: false,
  })
  if (!card) return null
  const { title, start, allDay, location, state, reason, actionId } = card
  const run = async (work: () => Promise<unknown>, toastText: string) => {
    setIsBusy(true)
    try {
      await work()
      notify(toastText)
    } catch (error) {
      notify(describeError(error), { failed: true })
    } finally {
      setIsBusy(false)
      await queries.invalidateQueries({ queryKey: ['calendar'] })
    }
  }
  const apply = () =>
    run(
      () => unwrap(client.POST('/api/calendar/events/from-email', { body: { emailId: email.id } })),
      t.calendarUpdated,
    )
  const undo = (id: number) =>
    run(() => unwrap(client.POST('/api/actions/{id}/undo', { params: { path: { id } } })), t.undone)
  const when = start === null ? [] : [allDay ? date(start) : dateTime(start)]
  const action = actionOf(card)
  return (
    <Notice
      tone={state === 'refused' ? 'warn' : 'plain'}
      icon={state === 'applied' || state === 'current' ? CalendarCheck : CalendarClock}
    >
      <p>
        <strong>
          {t.invitationTitle({ kind: t.invitationKinds[card.method] ?? t.event, title: title || t.untitled })}
        </strong>
        <span className="quiet"> {[...when, location].filter(Boolean).join(' · ')}</span>
      </p>
      {STATES[state] && <p>{STATES[state]}</p>}
      {reason !== null && <p>{reason}</p>}
      {action && (
        <Button size="small" busy={isBusy} onClick={() => void apply()}>
          {action}
        </Button>
      )}
      {actionId !== null && (
        <Button size="small" busy={isBusy} onClick={() => void undo(actionId)}>
          {common.undo}
        </Button>
      )}
    </Notice>
  )
}
