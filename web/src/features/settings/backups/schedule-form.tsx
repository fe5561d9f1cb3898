import { useState } from 'react'
import * as t from '#locale/backups'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { ConfirmPasswordField, WRONG_PASSWORD } from '../../../ui/dialog.tsx'
import { Options, PasswordField, SelectField, TextField } from '../../../ui/field.tsx'
import { Form, SaveButton } from '../../../ui/form.tsx'
import { readText } from '../../../ui/form-values.ts'
import { useNotify } from '../../../ui/toast.tsx'

type Schedule = Shape<'BackupSchedule'>
type ScheduleInput = Shape<'BackupScheduleInput'>

/** Reads the passphrase of the form: removed, kept, or a new one. */
const readPassphrase = (encryption: string, typed: string): Pick<ScheduleInput, 'passphrase'> => {
  if (encryption === 'off') return { passphrase: null }
  return typed === '' ? {} : { passphrase: typed }
}

const toInput = (values: FormData): ScheduleInput => {
  const read = (name: string): string => readText(values, name)
  const destination = read('destination') as ScheduleInput['destination']
  const secretAccessKey = read('s3.secretAccessKey')
  const password = values.get('password')
  return {
    enabled: read('enabled') === 'on',
    frequency: read('frequency') as ScheduleInput['frequency'],
    weekday: (read('weekday') || 'sunday') as ScheduleInput['weekday'],
    time: read('time'),
    keepCount: Number(read('keepCount')),
    keepDays: read('keepDays') === '' ? null : Number(read('keepDays')),
    ...readPassphrase(read('encryption'), String(values.get('passphrase') ?? '')),
    destination,
    folder: read('folder') === '' ? null : read('folder'),
    s3:
      destination === 'folder'
        ? null
        : {
            endpoint: read('s3.endpoint'),
            region: read('s3.region'),
            bucket: read('s3.bucket'),
            prefix: read('s3.prefix'),
            accessKeyId: read('s3.accessKeyId'),
            ...(secretAccessKey !== '' && { secretAccessKey }),
          },
    ...(typeof password === 'string' && { password }),
  }
}

const BucketFields = ({ s3 }: { s3: Schedule['s3'] }) => (
  <>
    <TextField name="s3.endpoint" label={t.endpoint} defaultValue={s3?.endpoint} inputMode="url" required />
    <TextField name="s3.region" label={t.region} defaultValue={s3?.region ?? 'us-east-1'} required />
    <TextField name="s3.bucket" label={t.bucket} defaultValue={s3?.bucket} required />
    <TextField name="s3.prefix" label={t.prefix} hint={t.prefixHint} defaultValue={s3?.prefix} />
    <TextField
      name="s3.accessKeyId"
      label={t.accessKeyId}
      defaultValue={s3?.accessKeyId}
      autoComplete="off"
      required
    />
    <PasswordField
      name="s3.secretAccessKey"
      label={t.secretAccessKey}
      autoComplete="off"
      required={s3 === null}
      {...(s3 !== null && { hint: t.secretKeptHint })}
    />
  </>
)

export const ScheduleForm = ({ schedule, onSaved }: { schedule: Schedule; onSaved: () => Promise<void> }) => {
  const client = useClient()
  const notify = useNotify()
  const [frequency, setFrequency] = useState<string>(schedule.frequency)
  const [destination, setDestination] = useState<string>(schedule.destination)
  const [encryption, setEncryption] = useState(schedule.hasPassphrase ? 'on' : 'off')
  const [needsPassword, setNeedsPassword] = useState(false)
  const save = async (values: FormData) => {
    await unwrap(client.PUT('/api/backups/schedule', { body: toInput(values) }))
    notify(t.scheduleSaved)
    await onSaved()
  }
  return (
    <Form onSubmit={save} label={t.scheduled} savedAs={null} codes={WRONG_PASSWORD}>
      <SelectField name="enabled" label={t.scheduled} defaultValue={schedule.enabled ? 'on' : 'off'}>
        <option value="on">{t.on}</option>
        <option value="off">{t.off}</option>
      </SelectField>
      <SelectField
        name="frequency"
        label={t.frequency}
        value={frequency}
        onChange={(event) => setFrequency(event.target.value)}
      >
        <Options entries={Object.entries(t.frequencies)} />
      </SelectField>
      {frequency === 'weekly' && (
        <SelectField name="weekday" label={t.weekday} defaultValue={schedule.weekday}>
          <Options entries={Object.entries(t.weekdays)} />
        </SelectField>
      )}
      <TextField
        name="time"
        type="time"
        label={t.time}
        hint={t.timeHint(schedule.timezone)}
        defaultValue={schedule.time}
        required
      />
      <TextField
        name="keepCount"
        type="number"
        min={1}
        max={1000}
        label={t.keepCount}
        hint={t.keepCountHint}
        defaultValue={schedule.keepCount}
        required
      />
      <TextField
        name="keepDays"
        type="number"
        min={1}
        max={3650}
        label={t.keepDays}
        hint={t.keepDaysHint}
        defaultValue={schedule.keepDays ?? ''}
      />
      <div className="stack" onInput={() => setNeedsPassword(true)}>
        <SelectField
          name="encryption"
          label={t.encryption}
          value={encryption}
          onChange={(event) => setEncryption(event.target.value)}
        >
          <Options entries={Object.entries(t.encryptionChoices)} />
        </SelectField>
        {encryption === 'on' && (
          <PasswordField
            name="passphrase"
            label={t.passphrase}
            hint={schedule.hasPassphrase ? t.passphraseKeptHint : t.passphraseHint}
            autoComplete="off"
            minLength={8}
            required={!schedule.hasPassphrase}
          />
        )}
        <SelectField
          name="destination"
          label={t.destination}
          value={destination}
          onChange={(event) => setDestination(event.target.value)}
        >
          <Options entries={Object.entries(t.destinations)} />
        </SelectField>
        {destination === 'folder' ? (
          <TextField
            name="folder"
            label={t.folder}
            hint={t.folderHint(schedule.defaultFolder, schedule.allowedFolders)}
            defaultValue={schedule.folder ?? ''}
            autoComplete="off"
          />
        ) : (
          <BucketFields s3={schedule.s3} />
        )}
      </div>
      {needsPassword && <ConfirmPasswordField hint={t.passwordHint} />}
      <div className="form-actions">
        <SaveButton />
      </div>
    </Form>
  )
}
