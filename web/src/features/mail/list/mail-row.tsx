import { Paperclip, Star } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/mail'
import { Tag } from '../../../ui/card.tsx'
import type { useDates } from '../../../ui/time.tsx'
import type { RowProps } from '../../../ui/virtual-list.tsx'
import { dragEmails } from '../folder-tree.tsx'
import { type EmailSummary, peopleOf, subjectOf } from '../folders.ts'

type Highlight = NonNullable<EmailSummary['highlights']>[number]

/** Text with the search matches marked. Long text is reduced to the excerpt with the matches. */
const Marked = ({ text, found }: { text: string; found: Highlight | undefined }) => {
  if (!found) return text
  const whole = found.excerpt ?? text
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end } of found.ranges) {
    parts.push(whole.slice(at, start), <mark key={start}>{whole.slice(start, end)}</mark>)
    at = end
  }
  return [...parts, whole.slice(at)]
}

const DELIVERY_TONES = {
  queued: 'accent',
  failed: 'bad',
  uncertain: 'warn',
} as const

const DeliveryTag = ({ delivery }: Pick<EmailSummary, 'delivery'>) => {
  const status = delivery?.status as keyof typeof DELIVERY_TONES
  const tone = DELIVERY_TONES[status]
  return tone ? <Tag tone={tone}>{t.deliveryStates[status]}</Tag> : null
}

/** The time for today's mail, otherwise the date. */
const When = ({ at, now, dates }: { at: string } & Pick<MailRowProps, 'now' | 'dates'>) => {
  const { time, shortDate, dateTime, isSameDay } = dates
  return (
    <time dateTime={at} title={dateTime(at)}>
      {isSameDay(at, now) ? time(at) : shortDate(at, now)}
    </time>
  )
}

interface MailRowProps {
  row: RowProps
  email: EmailSummary
  href: string
  now: Date
  dates: ReturnType<typeof useDates>
  isOpen: boolean
  isSelected: boolean
  /** True for lists that span several folders. */
  showsFolder: boolean
  onSelect: (isSelected: boolean, isRange: boolean) => void
  onStar: () => void
}

export const MailRow = (props: MailRowProps) => {
  const { row, email, href, now, dates, isOpen, isSelected, showsFolder, onSelect, onStar } = props
  const { id, read, starred, tags, attachments, snippet, highlights = [] } = email
  const found = (field: Highlight['field']) => highlights.find((each) => each.field === field)
  const people = peopleOf(email)
  const subject = subjectOf(email)
  const inAddress = people === email.from?.address ? found('from.address') : undefined
  const inText = found('snippet') ?? found('text')
  return (
    <li
      {...row}
      className="mail-row"
      onDragStart={(event) => dragEmails(event, [id])}
      data-email={id}
      data-read={read}
      data-open={isOpen}
      data-selected={isSelected}
    >
      <input
        type="checkbox"
        className="mail-box"
        aria-label={t.selectEmail({ subject, people })}
        checked={isSelected}
        onChange={() => {}}
        onClick={(event) => onSelect(event.currentTarget.checked, event.shiftKey)}
      />
      <Link href={href} className="mail-link" aria-current={isOpen ? 'true' : undefined}>
        <span className="mail-line">
          {!read && <span className="visually-hidden">{t.unreadPrefix}</span>}
          <span className="mail-people">
            <Marked text={people} found={people === email.from?.name ? found('from.name') : inAddress} />
          </span>
          {attachments.length > 0 && (
            <>
              <Paperclip size={14} aria-hidden="true" />
              <span className="visually-hidden">{t.withAttachments}</span>
            </>
          )}
          <span className="mail-when">
            <When at={email.date} now={now} dates={dates} />
          </span>
        </span>
        <span className="mail-subject">
          <Marked text={subject} found={found('subject')} />
        </span>
        <span className="mail-line mail-last">
          {(tags.length > 0 || showsFolder || email.delivery !== null || email.unreadable !== null) && (
            <span className="mail-tags">
              {email.unreadable !== null && <Tag tone="warn">{t.unreadable}</Tag>}
              <DeliveryTag delivery={email.delivery} />
              {showsFolder && <Tag>{t.folders[email.folder]}</Tag>}
              {tags.map((tag) => (
                <Tag key={tag} tone="accent">
                  #{tag}
                </Tag>
              ))}
            </span>
          )}
          <span className="mail-snippet">
            {snippet === '' && !inText ? '\u00a0' : <Marked text={snippet} found={inText} />}
          </span>
        </span>
      </Link>
      <button
        type="button"
        className="mail-star"
        aria-pressed={starred}
        aria-label={t.starEmail(subject)}
        onClick={onStar}
      >
        <Star size={17} aria-hidden="true" />
      </button>
    </li>
  )
}
