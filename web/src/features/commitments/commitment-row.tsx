import { Check, Handshake, ListPlus, Pencil, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/commitments'
import type { Commitment } from '../../api/commitments.ts'
import { Button } from '../../ui/button.tsx'
import { Tag } from '../../ui/card.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { Time, useDates } from '../../ui/time.tsx'
import { useNow } from '../../ui/use-now.ts'
import { toQuoteState } from '../mail/quote-link.ts'
import { EditDialog } from './edit-dialog.tsx'
import { useCommitmentActions } from './use-commitment-actions.ts'
import './commitments.css'

const mailHref = (id: number): string => `/mail/inbox/${id}`

const DueTag = ({ commitment }: { commitment: Commitment }) => {
  const { nearDue, dayOf } = useDates()
  const now = useNow()
  const { dueAt, dueDay, isOverdue } = commitment
  if (dueAt === null) return <Tag>{t.noDate}</Tag>
  const when = nearDue(dueAt, dueDay, now)
  const isToday = (dueDay ?? dayOf(dueAt)) === dayOf(now)
  if (isOverdue) return <Tag tone="bad">{t.overdue(when)}</Tag>
  return <Tag tone={isToday ? 'warn' : 'plain'}>{t.due(when)}</Tag>
}

const Person = ({ direction, person: { name, address, contactId } }: Commitment) => {
  const label = (direction === 'mine' ? t.to : t.from)(name || address)
  return contactId === null ? <span>{label}</span> : <Link href={`/contacts/${contactId}`}>{label}</Link>
}

/** The email that may show that the commitment was kept. The person decides. */
const Suggestion = ({ commitment, onNotYet }: { commitment: Commitment; onNotYet: () => void }) => {
  const { status, closingEmailId, closingQuote, text } = commitment
  if (status !== 'open' || closingEmailId === null) return null
  return (
    <div className="commitment-suggestion">
      <p>
        {t.maybeDone} <q>{closingQuote}</q>{' '}
        <Link href={mailHref(closingEmailId)} state={toQuoteState(closingQuote ?? '')}>
          {t.showEvidence}
        </Link>
      </p>
      <Button size="small" aria-label={t.notYetCommitment(text)} onClick={onNotYet}>
        {t.notYet}
      </Button>
    </div>
  )
}

const Evidence = ({ commitment }: { commitment: Commitment }) => {
  const { status, closedBy, closedAt, closingEmailId, closingQuote } = commitment
  if (status === 'open' || closedBy === null) return null
  return (
    <p className="row-notes">
      <span>
        {t.closedBy[closedBy]} {closedAt !== null && <Time at={closedAt} />}
      </span>
      {closedBy === 'email' && closingQuote !== null && <q>{closingQuote}</q>}
      {closingEmailId !== null && (
        <Link href={mailHref(closingEmailId)} state={toQuoteState(closingQuote ?? '')}>
          {t.showEvidence}
        </Link>
      )}
    </p>
  )
}

interface CommitmentRowProps {
  commitment: Commitment
  /** The page is about the person. */
  hidesPerson?: boolean
}

const CommitmentRow = ({ commitment, hidesPerson = false }: CommitmentRowProps) => {
  const actions = useCommitmentActions()
  const [isEditing, setIsEditing] = useState(false)
  const { text, quote, emailId, taskId, promisedAt, subject, status } = commitment
  const isOpen = status === 'open'
  return (
    <li className="commitment">
      <span className="row-icon">
        <Handshake size={17} aria-hidden="true" />
      </span>
      <div className="row-main">
        <p className="row-title commitment-text">
          <span>{text}</span>
          {isOpen && <DueTag commitment={commitment} />}
        </p>
        {quote.toLowerCase() !== text.toLowerCase() && (
          <blockquote className="commitment-quote">{quote}</blockquote>
        )}
        <p className="row-notes">
          {hidesPerson ? <span>{t.views[commitment.direction]}</span> : <Person {...commitment} />}
          <span>
            {t.promisedOn} <Time at={promisedAt} />
          </span>
          {emailId !== null && (
            <Link href={mailHref(emailId)} title={subject} state={toQuoteState(quote)}>
              {t.openEmail}
            </Link>
          )}
          {taskId !== null && <Link href={`/tasks?task=${taskId}`}>{t.openTask}</Link>}
        </p>
        <Suggestion commitment={commitment} onNotYet={() => void actions.keepOpen(commitment)} />
        <Evidence commitment={commitment} />
      </div>
      <div className="commitment-actions">
        {isOpen ? (
          <>
            <Button
              size="small"
              aria-label={t.markDone(text)}
              onClick={() => void actions.finish(commitment)}
            >
              <Check size={16} aria-hidden="true" />
              {t.done}
            </Button>
            <RowMenu
              label={t.actionsFor(text)}
              actions={[
                { label: t.edit, icon: Pencil, onSelect: () => setIsEditing(true) },
                ...(taskId === null
                  ? [{ label: t.makeTask, icon: ListPlus, onSelect: () => void actions.makeTask(commitment) }]
                  : []),
                { label: t.dismiss, icon: X, onSelect: () => void actions.dismiss(commitment) },
              ]}
            />
          </>
        ) : (
          <Button
            size="small"
            aria-label={t.reopenCommitment(text)}
            onClick={() => void actions.reopen(commitment)}
          >
            <RotateCcw size={16} aria-hidden="true" />
            {t.reopen}
          </Button>
        )}
      </div>
      <EditDialog commitment={commitment} open={isEditing} onClose={() => setIsEditing(false)} />
    </li>
  )
}

interface CommitmentListProps {
  commitments: readonly Commitment[]
  /** The list is the content of a page, not of a card. */
  label?: string
  hidesPerson?: boolean
}

export const CommitmentList = ({ commitments, label, hidesPerson = false }: CommitmentListProps) => (
  <ul className={`rows commitment-list${label === undefined ? '' : ' commitments'}`} aria-label={label}>
    {commitments.map((commitment) => (
      <CommitmentRow key={commitment.id} commitment={commitment} hidesPerson={hidesPerson} />
    ))}
  </ul>
)
