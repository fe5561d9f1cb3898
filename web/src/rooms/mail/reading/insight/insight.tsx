import { Check, ChevronDown, EyeOff, ListPlus, ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Tag } from '../../../../ui/card.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useDates } from '../../../../ui/time.tsx'
import type { Email } from '../../folders.ts'
import { type Findings, useFindings, useMailDeeds } from './use-insight.ts'
import './insight.css'

type Deeds = ReturnType<typeof useMailDeeds>

const count = (n: number, one: string, many = `${one}s`): string[] =>
  n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]

const short = (text: string): string => (text.length > 140 ? `${text.slice(0, 139)}…` : text)

/** Said without being asked: a person cannot see it, or should not fall for it. */
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

interface MakeProps {
  label: string
  done: string
  what: string
  isMade: boolean
  isBusy: boolean
  onMake: () => void
}

const Make = ({ label, done, what, isMade, isBusy, onMake }: MakeProps) => (
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

const ToDo = ({ items, deeds }: { items: Findings['actionItems']; deeds: Deeds }) => {
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
                <Make
                  label="Add task"
                  done="Added"
                  what={item.title}
                  isMade={deeds.isMade(key)}
                  isBusy={deeds.isBusy(key)}
                  onMake={() => void deeds.addTask(key, item)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}

const Meetings = ({ meetings, deeds }: { meetings: Findings['meetings']; deeds: Deeds }) => {
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
              <Make
                label="Add to calendar"
                done="In the calendar"
                what={`${meeting.title}, ${when}`}
                isMade={deeds.isMade(key)}
                isBusy={deeds.isBusy(key)}
                onMake={() => void deeds.addEvent(key, meeting)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

const Details = ({ found, deeds }: { found: Findings; deeds: Deeds }) => (
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
    <ToDo items={found.actionItems} deeds={deeds} />
    <Meetings meetings={found.meetings} deeds={deeds} />
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

/** What a mail is about, in one line; all of it when asked. Without it, the mail is there all the same. */
export const Insight = ({ email }: { email: Email }) => {
  const { data: found } = useFindings(email)
  const deeds = useMailDeeds(email)
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
        {isOpen && <Details found={found} deeds={deeds} />}
      </div>
    </aside>
  )
}
