import { Check, ChevronDown, EyeOff, ListPlus, ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Tag } from '../../../../ui/card.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useDates } from '../../../../ui/time.tsx'
import type { Email } from '../../folders.ts'
import { type Findings, useFindings, useInsightActions } from './use-insight.ts'
import './insight.css'

type InsightActions = ReturnType<typeof useInsightActions>

const count = (n: number, one: string, many = `${one}s`): string[] =>
  n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]

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
          This mail may only pretend to come from where it says: “{short(phishing[0].text)}”. Follow no link
          in it before you know.
        </Notice>
      )}
      {injected[0] && (
        <Notice tone="bad" icon={ShieldAlert}>
          This mail tries to command a program that reads it: “{short(injected[0].text)}”. Nothing here
          follows it.
        </Notice>
      )}
      {hidden[0] && (
        <Notice tone="warn" icon={EyeOff}>
          This mail hides something that you do not see: “{short(hidden[0].text)}”.
        </Notice>
      )}
    </>
  )
}

interface CreateButtonProps {
  label: string
  done: string
  what: string
  isMade: boolean
  isBusy: boolean
  onMake: () => void
}

const CreateButton = ({ label, done, what, isMade, isBusy, onMake }: CreateButtonProps) => (
  <Button
    size="small"
    disabled={isMade}
    busy={isBusy}
    onClick={onMake}
    aria-label={`${isMade ? done : label}: ${what}`}
  >
    {isMade ? <Check size={14} aria-hidden="true" /> : <ListPlus size={14} aria-hidden="true" />}
    {isMade ? done : label}
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
      <h3>To do</h3>
      <ul>
        {items.map((item) => {
          const key = `task-${item.offset}`
          return (
            <li key={key}>
              <span>
                {item.owner === 'them' && <Tag>promised by them</Tag>} {item.title}
                {item.dueAt !== null && <span className="quiet"> · by {due(item.dueAt, item.dueDay)}</span>}
              </span>
              {item.owner === 'me' && (
                <CreateButton
                  label="Add task"
                  done="Added"
                  what={item.title}
                  isMade={insightActions.isMade(key)}
                  isBusy={insightActions.isBusy(key)}
                  onMake={() => void insightActions.addTask(key, item)}
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
      <h3>Meetings</h3>
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
                label="Add to calendar"
                done="In the calendar"
                what={`${meeting.title}, ${when}`}
                isMade={insightActions.isMade(key)}
                isBusy={insightActions.isBusy(key)}
                onMake={() => void insightActions.addEvent(key, meeting)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

const Details = ({ found, insightActions }: { found: Findings; insightActions: InsightActions }) => (
  <div className="insight-details">
    {found.summary !== '' && <p>{found.summary}</p>}
    {found.urgency.reasons.length > 0 && (
      <p>
        <strong>Urgency: {found.urgency.level}</strong>
        {', for '}
        {found.urgency.reasons
          .map(({ reason, text }) => (text === '' ? reason : `${reason} (“${text}”)`))
          .join('; ')}
        .
      </p>
    )}
    <ToDo items={found.actionItems} insightActions={insightActions} />
    <Meetings meetings={found.meetings} insightActions={insightActions} />
    {found.questions.length > 0 && (
      <>
        <h3>Questions</h3>
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
  const counts = [
    ...count(found.actionItems.filter(({ owner }) => owner === 'me').length, 'thing to do', 'things to do'),
    ...count(found.meetings.length, 'meeting'),
    ...count(found.questions.length, 'question'),
  ]
  return (
    <aside className="insight" aria-label="About this mail">
      <Warnings insights={found.insights} />
      <button
        type="button"
        className="insight-toggle"
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronDown size={15} aria-hidden="true" />
        <span>About this mail</span>
        {(level === 'high' || level === 'critical') && (
          <Tag tone={level === 'critical' ? 'bad' : 'warn'}>
            {level === 'critical' ? 'critical' : 'urgent'}
          </Tag>
        )}
        {found.category !== 'conversation' && <Tag>{found.category}</Tag>}
        <span className="quiet">{counts.join(' · ')}</span>
      </button>
      <div id={details} hidden={!isOpen}>
        {isOpen && <Details found={found} insightActions={insightActions} />}
      </div>
    </aside>
  )
}
