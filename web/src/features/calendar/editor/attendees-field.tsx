import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import * as calendar from '#locale/calendar'
import * as t from '#locale/event-editor'
import { AddressInput } from '../../../ui/address-input.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import type { CalendarEvent } from '../event.ts'

type Attendees = CalendarEvent['attendees']

const PERSON_PATTERN = /^(?:(.*?)\s*<\s*([^<>\s]+@[^<>\s]+)\s*>|([^<>\s]+@[^<>\s]+))$/

/** Parses "Ana Ruiz <ana@example.org>" or a plain address. */
const readPerson = (text: string): Attendees[number] | null => {
  const [, name = '', inBrackets, alone] = PERSON_PATTERN.exec(text.trim()) ?? []
  const email = inBrackets ?? alone
  return email === undefined ? null : { name: name.replace(/^"|"$/g, ''), email, status: 'needs-action' }
}

interface AttendeesProps {
  attendees: Attendees
  onChange: (attendees: Attendees) => void
}

export const AttendeesField = ({ attendees, onChange }: AttendeesProps) => {
  const [text, setText] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  const add = () => {
    if (text.trim() === '') return
    const found = text.split(/[,;]/).filter((part) => part.trim() !== '')
    const read = found.map(readPerson)
    if (read.some((person) => person === null)) return setIsWrong(true)
    const fresh = read.filter(
      (person): person is Attendees[number] =>
        person !== null && !attendees.some(({ email }) => email.toLowerCase() === person.email.toLowerCase()),
    )
    onChange([...attendees, ...fresh])
    setText('')
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter adds the typed person. It submits the form only when the field is empty.
    if (text.trim() !== '') event.preventDefault()
    add()
  }
  return (
    <div className="editor-list">
      <Field
        name="attendees"
        label={t.attendees}
        hint={
          isWrong ? (
            <span className="field-error" role="alert">
              {t.invalidAttendee}
            </span>
          ) : undefined
        }
      >
        {(control) => (
          <div className="input-with-button">
            <AddressInput
              className="input"
              placeholder={t.attendeesExample}
              {...control}
              value={text}
              chosen={attendees.map(({ email }) => email)}
              onValueChange={(typed) => {
                setIsWrong(false)
                setText(typed)
              }}
              onChoose={({ name, address }) => {
                onChange([...attendees, { name, email: address, status: 'needs-action' }])
                setText('')
              }}
              onKeyDown={onKey}
              onBlur={add}
            />
            <IconButton icon={Plus} iconSize={18} label={t.addAttendee} onClick={add} />
          </div>
        )}
      </Field>
      {attendees.length > 0 && (
        <ul className="pills" aria-label={t.invitedAttendees}>
          {attendees.map((person) => (
            <li key={person.email} className="pill">
              <span title={person.email}>{person.name || person.email}</span>
              {person.status !== 'needs-action' && (
                <span className="quiet">{calendar.rsvps[person.status]}</span>
              )}
              <button
                type="button"
                aria-label={t.removeAttendee(person.name || person.email)}
                onClick={() => onChange(attendees.filter((other) => other !== person))}
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
