import {
  AlarmClock,
  Archive,
  Inbox,
  type LucideIcon,
  Mail,
  MailOpen,
  Paperclip,
  Pin,
  Star,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import * as t from '#locale/mail'
import * as later from '#locale/mail-later'
import * as common from '#locale/shared-texts'
import { Tag } from '../../../ui/card.tsx'
import type { useDates } from '../../../ui/time.tsx'
import type { RowProps } from '../../../ui/virtual-list.tsx'
import { dragThreads } from '../dragged-threads.ts'
import { isPutAway, subjectOf } from '../folders.ts'
import { findWords } from '../search-words.ts'
import { describePeople, isRead, type Thread } from '../threads.ts'
import { useSwipe } from './use-swipe.ts'

type Highlight = NonNullable<Thread['highlights']>[number]
type Range = Highlight['ranges'][number]

/** Text with the search matches marked. Long text is reduced to the excerpt with the matches. */
const Marked = ({ text, ranges }: { text: string; ranges: readonly Range[] | undefined }) => {
  if (!ranges) return text
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end } of ranges) {
    if (start < at) continue
    parts.push(text.slice(at, start), <mark key={start}>{text.slice(start, end)}</mark>)
    at = end
  }
  return [...parts, text.slice(at)]
}

const DELIVERY_TONES = {
  queued: 'accent',
  failed: 'bad',
  uncertain: 'warn',
} as const

const DeliveryTag = ({ delivery }: Pick<Thread, 'delivery'>) => {
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

/** Not in the tab order, because each row would have six stops. The keyboard has shortcuts for these actions. */
const RowAction = ({
  label,
  icon: Icon,
  onClick,
}: {
  label: string
  icon: LucideIcon
  onClick: () => void
}) => (
  <button
    type="button"
    className="mail-row-action"
    tabIndex={-1}
    aria-label={label}
    title={label}
    onClick={onClick}
  >
    <Icon size={16} aria-hidden="true" />
  </button>
)

export interface RowHandlers {
  /** Called before a click, because a mouse button is held for about 100 ms. */
  press: (thread: Thread) => void
  select: (thread: Thread, isSelected: boolean, isRange: boolean) => void
  /** The threads that move with this one: the selection, if it is part of it. */
  dragged: (thread: Thread) => readonly number[]
  star: (thread: Thread) => void
  toggleArchived: (thread: Thread) => void
  remove: (thread: Thread) => void
  toggleRead: (thread: Thread) => void
  snooze: (thread: Thread) => void
}

interface MailRowProps {
  row: RowProps
  thread: Thread
  href: string
  now: Date
  dates: ReturnType<typeof useDates>
  isOpen: boolean
  isSelected: boolean
  /** True for lists that span several folders. */
  showsFolder: boolean
  /** The heading above the first row of a part of the list. */
  heading?: string | undefined
  /** The search, whose words are marked in the names. */
  q: string
  handlers: RowHandlers
}

/** Why the thread is, or is not, at the top of the inbox. */
const Reminder = ({ thread, now, dates }: Pick<MailRowProps, 'thread' | 'now' | 'dates'>) => {
  const { snoozedUntil, returned } = thread
  if (snoozedUntil === null && returned === null) return null
  return (
    <span className="mail-reminder">
      <AlarmClock size={13} aria-hidden="true" />
      {snoozedUntil !== null && (
        <>
          <span className="visually-hidden">
            {later.snoozedUntil(dates.nearDue(snoozedUntil, null, now))}
          </span>
          <span aria-hidden="true">{dates.nearDue(snoozedUntil, null, now)}</span>
        </>
      )}
      {returned && (returned.reason === 'snooze' ? later.backFromSnooze : later.noAnswer)}
    </span>
  )
}

const Tags = ({ thread, showsFolder }: Pick<MailRowProps, 'thread' | 'showsFolder'>) => {
  const { tags, delivery, unreadable, folder } = thread
  if (tags.length === 0 && !showsFolder && delivery === null && unreadable === null) return null
  return (
    <span className="mail-tags">
      {unreadable !== null && <Tag tone="warn">{t.unreadable}</Tag>}
      <DeliveryTag delivery={delivery} />
      {showsFolder && <Tag>{t.folders[folder]}</Tag>}
      {tags.map((tag) => (
        <Tag key={tag} tone="accent">
          #{tag}
        </Tag>
      ))}
    </span>
  )
}

export const MailRow = (props: MailRowProps) => {
  const { row, thread, href, now, dates, isOpen, isSelected, showsFolder, q, handlers } = props
  const { id, starred, snippet, messageCount, hasAttachments, highlights = [] } = thread
  const found = (field: Highlight['field']) => highlights.find((each) => each.field === field)
  const people = describePeople(thread)
  const subject = subjectOf(thread)
  const inText = found('snippet') ?? found('text')
  const preview = inText?.excerpt ?? snippet
  const read = isRead(thread)
  // Most rows never need these icons, and they are half of the elements.
  const [wasPointedAt, setWasPointedAt] = useState(false)
  const swipe = useSwipe({
    onSwipeRight: () => handlers.toggleArchived(thread),
    onSwipeLeft: () => handlers.snooze(thread),
  })
  const [ArchiveIcon, archiveLabel] = isPutAway(thread) ? [Inbox, t.moveToInbox] : [Archive, t.archive]
  const [ReadIcon, readLabel] = read ? [Mail, t.markUnread] : [MailOpen, t.markRead]
  return (
    <li
      {...row}
      {...swipe}
      onPointerEnter={() => setWasPointedAt(true)}
      className="mail-row"
      draggable
      onDragStart={(event) => dragThreads(event, handlers.dragged(thread))}
      data-thread={id}
      data-part={props.heading === undefined ? undefined : ''}
      data-read={read}
      data-open={isOpen}
      data-selected={isSelected}
    >
      {wasPointedAt && (
        <span className="mail-swipe" aria-hidden="true">
          <ArchiveIcon size={20} />
          <AlarmClock size={20} />
        </span>
      )}
      {props.heading !== undefined && <p className="mail-part">{props.heading}</p>}
      <div className="mail-row-content">
        <input
          type="checkbox"
          className="mail-box"
          aria-label={t.selectEmail({ subject, people })}
          checked={isSelected}
          onChange={() => {}}
          onClick={(event) => handlers.select(thread, event.currentTarget.checked, event.shiftKey)}
        />
        <Link
          href={href}
          className="mail-link"
          draggable={false}
          aria-current={isOpen ? 'true' : undefined}
          onPointerDown={({ button, pointerType }) => {
            // A touch may be the beginning of a scroll.
            if (button === 0 && pointerType !== 'touch') handlers.press(thread)
          }}
        >
          <span className="mail-line mail-first">
            {!read && <span className="visually-hidden">{t.unreadPrefix}</span>}
            <span className="mail-people">
              <Marked text={people} ranges={q === '' ? undefined : findWords(people, q)} />
            </span>
            {messageCount > 1 && (
              <span className="mail-messages">
                <span aria-hidden="true">{messageCount}</span>
                <span className="visually-hidden">{t.messageCount(messageCount)}</span>
              </span>
            )}
            <Reminder thread={thread} now={now} dates={dates} />
            {thread.pinned && (
              <>
                <Pin size={14} aria-hidden="true" />
                <span className="visually-hidden">{later.pinned}</span>
              </>
            )}
            {hasAttachments && (
              <>
                <Paperclip size={14} aria-hidden="true" />
                <span className="visually-hidden">{t.withAttachments}</span>
              </>
            )}
            <span className="mail-when">
              <When at={thread.date} now={now} dates={dates} />
            </span>
          </span>
          <span className="mail-text">
            <span className="mail-subject">
              <Marked text={subject} ranges={found('subject')?.ranges} />
            </span>
            <span className="mail-line mail-last">
              <Tags thread={thread} showsFolder={showsFolder} />
              <span className="mail-snippet">
                {preview === '' ? '\u00a0' : <Marked text={preview} ranges={inText?.ranges} />}
              </span>
            </span>
          </span>
        </Link>
        <button
          type="button"
          className="mail-star"
          aria-pressed={starred}
          aria-label={t.starEmail(subject)}
          onClick={() => handlers.star(thread)}
        >
          <Star size={17} aria-hidden="true" />
        </button>
        {wasPointedAt && (
          <span className="mail-row-actions">
            <RowAction
              label={archiveLabel}
              icon={ArchiveIcon}
              onClick={() => handlers.toggleArchived(thread)}
            />
            <RowAction
              label={thread.snoozedUntil === null ? later.snooze : later.unsnooze}
              icon={AlarmClock}
              onClick={() => handlers.snooze(thread)}
            />
            <RowAction label={common.remove} icon={Trash2} onClick={() => handlers.remove(thread)} />
            <RowAction label={readLabel} icon={ReadIcon} onClick={() => handlers.toggleRead(thread)} />
          </span>
        )}
      </div>
    </li>
  )
}
