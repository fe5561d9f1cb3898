import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { type CalendarEvent, RSVP_LABELS } from '../words.ts'

type Attendees = CalendarEvent['attendees']

const PERSON_PATTERN = /^(?:(.*?)\s*<\s*([^<>\s]+@[^<>\s]+)\s*>|([^<>\s]+@[^<>\s]+))$/

/** Parses "Ana Ruiz <ana@example.org>" or a plain address. */
const readPerson = (text: string): Attendees[number] | null => {
  const [, name = '', inBrackets, alone] = PERSON_PATTERN.exec(text.trim()) ?? []
  const email = inBrackets ?? alone
  return email === undefined ? null : { name: name.replace(/^"|"$/g, ''), email, status: 'needs-action' }
}

interface PeopleProps {
  people: Attendees
  onChange: (people: Attendees) => void
}

export const PeopleField = ({ people, onChange }: PeopleProps) => {
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const add = () => {
    if (text.trim() === '') return
    const found = text.split(/[,;]/).filter((part) => part.trim() !== '')
    const read = found.map(readPerson)
    if (read.some((person) => person === null)) return setIsWrong(true)
    const fresh = read.filter(
      (person): person is Attendees[number] =>
        person !== null && !people.some(({ email }) => email.toLowerCase() === person.email.toLowerCase()),
    )
    onChange([...people, ...fresh])
    setText('')
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter adds the typed person. It submits the form only when the field is empty.
    if (text.trim() !== '') event.preventDefault()
    add()
  }
  return (
    <div className="people">
      <Field
        name="attendees"
        label="People"
        hint={
          isWrong ? (
            <span className="field-error" role="alert">
              Write an address such as ana@example.org, or Ana Ruiz &lt;ana@example.org&gt;.
            </span>
          ) : undefined
        }
      >
        {(control) => (
          <div className="input-with-button">
            <input
              className="input"
              type="text"
              autoComplete="off"
              placeholder="ana@example.org"
              {...control}
              value={text}
              onChange={(event) => {
                setIsWrong(false)
                setText(event.target.value)
              }}
              onKeyDown={onKey}
              onBlur={add}
            />
            <Button kind="quiet" shape="icon" size="small" aria-label="Add person" onClick={add}>
              <Plus size={18} aria-hidden="true" />
            </Button>
          </div>
        )}
      </Field>
      {people.length > 0 && (
        <ul className="pills" aria-label="People who are asked">
          {people.map((person) => (
            <li key={person.email} className="pill">
              <span title={person.email}>{person.name || person.email}</span>
              {person.status !== 'needs-action' && (
                <span className="quiet">{RSVP_LABELS[person.status]}</span>
              )}
              <button
                type="button"
                aria-label={`Remove ${person.name || person.email}`}
                onClick={() => onChange(people.filter((other) => other !== person))}
              >
                <X size={14} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
