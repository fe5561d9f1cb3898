import { useState } from 'react'
import type { Versioned } from '../../../api/client.ts'
import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { nameOf, WEEKDAYS, type Weekday } from '../../../ui/weekdays.ts'
import { type Settings, useSettingsForm } from './save-settings.ts'

const timeFrom = (values: FormData, name: string, otherwise: string): string =>
  String(values.get(name) || otherwise).slice(0, 5)

export const QuietHoursForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ quietHours }) => ({ quietHours }),
    toastText: 'Your quiet hours are saved.',
  })
  const { enabled, start, end, securityPasses } = editing.base.quietHours
  const save = async (values: FormData) => {
    await editing.save({
      quietHours: {
        enabled: values.has('enabled'),
        start: timeFrom(values, 'quietHours.start', start),
        end: timeFrom(values, 'quietHours.end', end),
        securityPasses: values.has('securityPasses'),
      },
    })
  }
  return (
    <Form key={editing.generation} label="Quiet hours" onTouch={editing.touch} onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`There they are from ${editing.conflict.theirs.value.quietHours.start} to ${editing.conflict.theirs.value.quietHours.end}.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <label className="check">
        <input type="checkbox" name="enabled" defaultChecked={enabled} />
        <span>Keep quiet every day between these hours</span>
      </label>
      <div className="field-pair">
        <TextField type="time" required name="quietHours.start" label="From" defaultValue={start} />
        <TextField type="time" required name="quietHours.end" label="Until" defaultValue={end} />
      </div>
      <label className="check">
        <input type="checkbox" name="securityPasses" defaultChecked={securityPasses} />
        <span>Tell me all the same of what concerns my account</span>
      </label>
      <div className="form-actions">
        <Submit>Save quiet hours</Submit>
      </div>
    </Form>
  )
}

type Frequency = Settings['digest']['frequency']

export const DigestForm = ({ current }: { current: Versioned<Settings> }) => {
  const editing = useSettingsForm({
    current,
    part: ({ digest }) => ({ digest }),
    toastText: 'Your digest is saved.',
  })
  const { frequency, time, weekday } = editing.base.digest
  const [{ generation, chosen }, setState] = useState({ generation: editing.generation, chosen: frequency })
  const setChosen = (next: Frequency) => setState({ generation: editing.generation, chosen: next })
  if (generation !== editing.generation) setChosen(frequency)
  const save = async (values: FormData) => {
    await editing.save({
      digest: {
        frequency: String(values.get('digest.frequency')) as Frequency,
        time: timeFrom(values, 'digest.time', time),
        weekday: String(values.get('digest.weekday') ?? weekday) as Weekday,
      },
    })
  }
  return (
    <Form key={editing.generation} label="Digest" onTouch={editing.touch} onSubmit={save}>
      {editing.conflict && (
        <ChangedElsewhere
          theirs={`There it is ${editing.conflict.theirs.value.digest.frequency}, at ${editing.conflict.theirs.value.digest.time}.`}
          onTakeTheirs={editing.takeTheirs}
          onKeepMine={editing.keepMine}
        />
      )}
      <SelectField
        name="digest.frequency"
        label="How often"
        defaultValue={frequency}
        onChange={(event) => setChosen(event.target.value as Frequency)}
      >
        <option value="off">Never: what is meant for the digest is mailed at once</option>
        <option value="daily">Every day</option>
        <option value="weekly">Once a week</option>
      </SelectField>
      {chosen !== 'off' && (
        <div className="field-pair">
          {chosen === 'weekly' && (
            <SelectField name="digest.weekday" label="On" defaultValue={weekday}>
              {WEEKDAYS.map((day) => (
                <option key={day} value={day}>
                  {nameOf(day)}
                </option>
              ))}
            </SelectField>
          )}
          <TextField type="time" required name="digest.time" label="At" defaultValue={time} />
        </div>
      )}
      <div className="form-actions">
        <Submit>Save digest</Submit>
      </div>
    </Form>
  )
}
