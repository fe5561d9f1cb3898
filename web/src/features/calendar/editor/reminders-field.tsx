import { X } from 'lucide-react'
import { SelectField } from '../../../ui/field.tsx'
import { reminderWords } from '../words.ts'

const CHOICES = [0, 5, 10, 15, 30, 60, 2 * 60, 24 * 60, 2 * 24 * 60, 7 * 24 * 60]
const MAX_REMINDERS = 20

interface RemindersProps {
  reminders: readonly number[]
  onChange: (reminders: readonly number[]) => void
}

export const RemindersField = ({ reminders, onChange }: RemindersProps) => (
  <div className="people">
    <SelectField
      name="reminders"
      label="Reminders"
      value=""
      disabled={reminders.length >= MAX_REMINDERS}
      onChange={(event) => {
        if (event.target.value !== '')
          onChange([...reminders, Number(event.target.value)].sort((one, other) => one - other))
      }}
    >
      <option value="">{reminders.length === 0 ? 'None; add one…' : 'Add another…'}</option>
      {CHOICES.filter((minutes) => !reminders.includes(minutes)).map((minutes) => (
        <option key={minutes} value={minutes}>
          {reminderWords(minutes)}
        </option>
      ))}
    </SelectField>
    {reminders.length > 0 && (
      <ul className="pills" aria-label="Reminders that are set">
        {reminders.map((minutes) => (
          <li key={minutes} className="pill">
            <span>{reminderWords(minutes)}</span>
            <button
              type="button"
              aria-label={`Remove: ${reminderWords(minutes)}`}
              onClick={() => onChange(reminders.filter((other) => other !== minutes))}
            >
              <X size={14} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
)
