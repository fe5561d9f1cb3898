import { Check, ChevronDown, EyeOff, ListPlus, ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import * as t from '#locale/mail'
import { Button } from '../../../../ui/button.tsx'
import { Tag } from '../../../../ui/card.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useDates } from '../../../../ui/time.tsx'
import type { Email } from '../../folders.ts'
import { type Findings, useFindings, useInsightActions } from './use-insight.ts'
import './insight.css'

type InsightActions = ReturnType<typeof useInsightActions>

const short = (text: string): string => (text.length > 140 ? `${text.slice(0, 139)}…` : text)

/** Warnings about hidden text, prompt injection and phishing, always visible. */
const Warnings = ({ insights }: { insights: Findings['insights'] }) => {
  const hidden = insights.filter(({ kind }) => kind === 'hidden')
  const injected = insights.filter(({ kind }) => kind === 'injection')
  const phishing = insights.filter(({ kind }) => kind === 'phishing')
  return (
    <>
      {phishing[0] && (
        <Notice tone="bad" icon={ShieldAlert}>
          {t.phishingWarning(short(phishing[0].text))}
        </Notice>
      )}
      {injected[0] && (
        <Notice tone="bad" icon={ShieldAlert}>
          {t.injectionWarning(short(injected[0].text))}
        </Notice>
      )}
      {hidden[0] && (
        <Notice tone="warn" icon={EyeOff}>
          {t.hiddenTextWarning(short(hidden[0].text))}
        </Notice>
      )}
    </>
  )
}

interface CreateButtonProps {
  label: string
  /** The label with the name of the object, for screen readers. */
  accessibleLabel: string
  title: string
  isCreated: boolean
  isBusy: boolean
  onCreate: () => void
}

const CreateButton = ({ label, accessibleLabel, title, isCreated, isBusy, onCreate }: CreateButtonProps) => (
  <Button
    size="small"
    disabled={isCreated}
    busy={isBusy}
    onClick={onCreate}
    aria-label={isCreated ? t.addedNamed(title) : accessibleLabel}
  >
    {isCreated ? <Check size={14} aria-hidden="true" /> : <ListPlus size={14} aria-hidden="true" />}
    {isCreated ? t.added : label}
  </Button>
)

const ToDo = ({
  items,
  insightActions,
}: {
  items: Findings['actionItems']
  insightActions: InsightActions
}) => {
  const { due } = useDates()
  if (items.length === 0) return null
  return (
    <>
      <h3>{t.tasks}</h3>
      <ul>
        {items.map((item) => {
          const key = `task-${item.offset}`
          return (
            <li key={key}>
              <span>
                {item.owner === 'them' && <Tag>{item.person ?? t.promisedBySender}</Tag>} {item.title}
                {item.dueAt !== null && (
                  <span className="quiet"> · {t.due(due(item.dueAt, item.dueDay))}</span>
                )}
              </span>
              {item.owner === 'me' && (
                <CreateButton
                  label={t.addTask}
                  accessibleLabel={t.addTaskNamed(item.title)}
                  title={item.title}
                  isCreated={insightActions.isCreated(key)}
                  isBusy={insightActions.isBusy(key)}
                  onCreate={() => void insightActions.addTask(key, item)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

const Meetings = ({
  meetings,
  insightActions,
}: {
  meetings: Findings['meetings']
  insightActions: InsightActions
}) => {
  const { date, dateTime } = useDates()
  if (meetings.length === 0) return null
  return (
    <>
      <h3>{t.events}</h3>
      <ul>
        {meetings.map((meeting) => {
          const when = meeting.allDay ? date(meeting.start) : dateTime(meeting.start)
          const key = `event-${meeting.start}`
          return (
            <li key={key}>
              <span>
                {meeting.title}
                <span className="quiet">
                  {' '}
                  · {when}
                  {meeting.location !== null && ` · ${meeting.location}`}
                </span>
              </span>
              <CreateButton
                label={t.addToCalendar}
                accessibleLabel={t.addToCalendarNamed(`${meeting.title}, ${when}`)}
                title={`${meeting.title}, ${when}`}
                isCreated={insightActions.isCreated(key)}
                isBusy={insightActions.isBusy(key)}
                onCreate={() => void insightActions.addEvent(key, meeting)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

/** The passages that make an email urgent. */
const quotesOf = ({ urgency }: Findings): string[] => [
  ...new Set(urgency.reasons.map(({ text }) => text).filter((text) => text !== '')),
]

const Details = ({ found, insightActions }: { found: Findings; insightActions: InsightActions }) => (
  <div className="insight-details">
    {found.notices.length > 0 && found.language !== null && <p>{t.unreadableLanguage(found.language)}</p>}
    {found.summary !== '' && <p>{found.summary}</p>}
    {found.urgency.reasons.length > 0 && (
      <p>
        <strong>{t.urgency(t.urgencyLevels[found.urgency.level])}</strong>
        {quotesOf(found).map((quote) => (
          <q key={quote}>{quote}</q>
        ))}
      </p>
    )}
    <ToDo items={found.actionItems} insightActions={insightActions} />
    <Meetings meetings={found.meetings} insightActions={insightActions} />
    {found.questions.length > 0 && (
      <>
        <h3>{t.questions}</h3>
        <ul>
          {found.questions.map(({ text, offset }) => (
            <li key={offset}>{text}</li>
          ))}
        </ul>
      </>
    )}
  </div>
)

/** Findings about an email: one line, expandable. The email is readable without them. */
export const Insight = ({ email }: { email: Email }) => {
  const { data: found } = useFindings(email)
  const insightActions = useInsightActions(email)
  const [isOpen, setIsOpen] = useState(false)
  const details = useId()
  if (!found) return null
  const { level } = found.urgency
  const taskCount = found.actionItems.filter(({ owner }) => owner === 'me').length
  const counts = [
    ...(taskCount > 0 ? [t.taskCount(taskCount)] : []),
    ...(found.meetings.length > 0 ? [t.eventCount(found.meetings.length)] : []),
    ...(found.questions.length > 0 ? [t.questionCount(found.questions.length)] : []),
  ]
  return (
    <aside className="insight" aria-label={t.aboutEmail}>
      <Warnings insights={found.insights} />
      <button
        type="button"
        className="insight-toggle"
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronDown size={15} aria-hidden="true" />
        <span>{t.aboutEmail}</span>
        {(level === 'high' || level === 'critical') && (
          <Tag tone={level === 'critical' ? 'bad' : 'warn'}>{t.urgentTags[level]}</Tag>
        )}
        {found.category !== 'conversation' && <Tag>{t.categories[found.category]}</Tag>}
        <span className="quiet">{counts.join(' · ')}</span>
      </button>
      <div id={details} hidden={!isOpen}>
        {isOpen && <Details found={found} insightActions={insightActions} />}
      </div>
    </aside>
  )
}
