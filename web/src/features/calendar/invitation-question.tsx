import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useId, useRef, useState } from 'react'
import * as t from '#locale/invitations'
import type { Shape } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { mailAccountsQuery } from '../../api/mail-accounts.ts'
import { formatList } from '../../locales/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'
import type { CalendarEvent, EventChange } from './event.ts'

type MailAccount = Shape<'MailAccount'>
type Person = { name: string; email: string }

/** The decision of the person. `organizer` is set if they chose the mail account to send from. */
export interface InvitationChoice {
  sendInvitations: boolean
  organizer?: Person
}

/** An event that is about to change. */
export interface PlannedChange {
  kind: 'create' | 'change' | 'delete'
  organizer: Person | null
  /** The attendees before and after the change. */
  attendees: readonly Person[]
  /** Whether the user declined, or the event is cancelled: then nobody has to know. */
  isOver: boolean
}

/** Asks whether to send email about a change. Null: the user went back. */
export type AskInvitations = (change: PlannedChange) => Promise<InvitationChoice | null>

/** Changes of these fields concern only the user. */
const PRIVATE_FIELDS: readonly (keyof EventChange)[] = ['reminders', 'tags', 'notes', 'busy', 'calendarId']

export const concernsOthers = (changes: EventChange): boolean =>
  (Object.keys(changes) as (keyof EventChange)[]).some((field) => !PRIVATE_FIELDS.includes(field))

export const planChange = (
  kind: PlannedChange['kind'],
  event: Pick<CalendarEvent, 'organizer' | 'attendees' | 'status'>,
  after: readonly Person[] = [],
): PlannedChange => ({
  kind,
  organizer: event.organizer,
  attendees: [...event.attendees, ...after],
  isOver: event.status === 'cancelled',
})

interface Question {
  title: string
  about: string
  /** The accounts to choose from. Empty if the organizer is known. */
  accounts: readonly MailAccount[]
}

const TITLES = { create: t.sendInvitations, change: t.sendUpdates, delete: t.sendCancellation }
const MAX_NAMES = 5
const NOTHING: InvitationChoice = { sendInvitations: false }

const nameOf = ({ name, email }: Person): string => name || email

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Returns null if nobody has to be told. */
const toQuestion = (change: PlannedChange, accounts: readonly MailAccount[]): Question | null => {
  const { kind, organizer, attendees, isOver } = change
  if (accounts.length === 0) return null
  const isOwn = (email: string): boolean => accounts.some(({ address }) => isSame(address, email))
  const others = [
    ...new Map(
      attendees.filter(({ email }) => !isOwn(email)).map((one) => [one.email.toLowerCase(), one]),
    ).values(),
  ]
  if (organizer && !isOwn(organizer.email)) {
    const isInvited = attendees.some(({ email }) => isOwn(email))
    if (kind !== 'delete' || !isInvited || isOver) return null
    return { title: t.tellOrganizer, about: t.declineTo(nameOf(organizer)), accounts: [] }
  }
  if (others.length === 0 || (kind === 'delete' && (organizer === null || isOver))) return null
  const names = others.map(nameOf)
  const listed = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names
  const isFirst = organizer === null
  return {
    title: isFirst ? t.sendInvitations : TITLES[kind],
    about: t.sendTo(formatList(listed)),
    accounts: isFirst && accounts.length > 1 ? accounts : [],
  }
}

/** Asks before email is sent to the attendees of an event. */
export const useInvitationQuestion = () => {
  const client = useClient()
  const queries = useQueryClient()
  const [question, setQuestion] = useState<Question | null>(null)
  const [address, setAddress] = useState('')
  const answer = useRef<(choice: InvitationChoice | null) => void>(() => {})
  const selectId = useId()
  const displayed = useLastValue(question)

  const ask: AskInvitations = useCallback(
    async (change) => {
      if (change.attendees.length === 0) return NOTHING
      const accounts = await queries.fetchQuery({ ...mailAccountsQuery(client), staleTime: 0 })
      const asked = toQuestion(change, accounts)
      if (!asked) return NOTHING
      setAddress(asked.accounts[0]?.address ?? '')
      return new Promise((resolve) => {
        answer.current = resolve
        setQuestion(asked)
      })
    },
    [client, queries],
  )
  const settle = (choice: InvitationChoice | null) => {
    setQuestion(null)
    answer.current(choice)
  }
  const chosen = displayed?.accounts.find((account) => account.address === address)
  const sender = chosen && { organizer: { name: chosen.senderName, email: chosen.address } }
  const element = (
    <Dialog open={question !== null} onClose={() => settle(null)} title={displayed?.title ?? ''} alert>
      <p>{displayed?.about}</p>
      {displayed && displayed.accounts.length > 0 && (
        <div className="field">
          <label htmlFor={selectId}>{t.sendFrom}</label>
          <select
            id={selectId}
            className="input"
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          >
            {displayed.accounts.map((account) => (
              <option key={account.id} value={account.address}>
                {account.address}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="dialog-actions">
        <Button onClick={() => settle(null)}>{t.back}</Button>
        <Button onClick={() => settle(NOTHING)}>{t.doNotSend}</Button>
        <Button kind="primary" data-first onClick={() => settle({ sendInvitations: true, ...sender })}>
          {t.send}
        </Button>
      </div>
    </Dialog>
  )
  return { ask, element }
}
