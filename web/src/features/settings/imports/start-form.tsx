import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as t from '#locale/imports'
import { usePreferences } from '../../../api/account.ts'
import { useCalendars } from '../../../api/calendars.ts'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { mailAccountsQuery } from '../../../api/mail-accounts.ts'
import { useTaskLists } from '../../../api/task-lists.ts'
import { ComboboxField } from '../../../ui/combobox-field.tsx'
import { Options, SelectField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { listTimeZones } from '../../../ui/time-zones.ts'

const FOLDERS = ['inbox', 'sent', 'drafts', 'archive', 'trash', 'junk'] as const
type Folder = (typeof FOLDERS)[number]

const MailTargets = () => {
  const accounts = useQuery(mailAccountsQuery(useClient())).data ?? []
  return (
    <>
      <SelectField name="mailAccountId" label={t.mailAccount} defaultValue="">
        <option value="">{t.noAccount}</option>
        <Options entries={accounts.map(({ id, name }) => [id, name])} />
      </SelectField>
      <SelectField name="mailFolder" label={t.mailFolder} defaultValue="">
        <option value="">{t.folders.auto}</option>
        <Options entries={FOLDERS.map((folder) => [folder, t.folders[folder]])} />
      </SelectField>
    </>
  )
}

const CalendarTarget = () => {
  const { calendars } = useCalendars()
  return (
    <SelectField name="calendarId" label={t.calendar} defaultValue="">
      <option value="">{t.defaultCalendar}</option>
      <Options
        entries={calendars
          .filter(({ owner, readOnly }) => owner === null && !readOnly)
          .map(({ id, name }) => [id, name])}
      />
    </SelectField>
  )
}

const TaskTarget = () => {
  const { lists } = useTaskLists()
  return (
    <SelectField name="taskListId" label={t.taskList} defaultValue="">
      <option value="">{t.listsOfFile}</option>
      <Options entries={lists.filter(({ owner }) => owner === null).map(({ id, name }) => [id, name])} />
    </SelectField>
  )
}

const ZoneField = ({ zone }: { zone: string }) => {
  const zones = useMemo(() => listTimeZones(zone), [zone])
  return (
    <ComboboxField
      name="timezone"
      label={t.timeZone}
      hint={t.timeZoneHint}
      choices={zones}
      defaultValue={zone}
    />
  )
}

/** Calendars and task lists of other programs often have times without a zone. */
const TimeZone = ({ chosen }: { chosen: string | undefined }) => {
  const own = usePreferences().data?.value.timezone
  const zone = chosen ?? own
  return zone === undefined ? null : <ZoneField key={zone} zone={zone} />
}

interface StartFormProps {
  value: Shape<'FileImport'>
  isContinued: boolean
  onStarted: () => Promise<void>
}

/** The targets of an import, for the kinds of items that the file contains. */
export const StartForm = ({ value: { id, analysis, options }, isContinued, onStarted }: StartFormProps) => {
  const client = useClient()
  const start = async (values: FormData) => {
    const text = (name: string): string => String(values.get(name) ?? '')
    const number = (name: string): number | null => (text(name) === '' ? null : Number(text(name)))
    const body = isContinued
      ? {}
      : {
          mailAccountId: text('mailAccountId') || null,
          mailFolder: (text('mailFolder') || null) as Folder | null,
          calendarId: number('calendarId'),
          taskListId: number('taskListId'),
          ...(text('timezone') !== '' && { timezone: text('timezone') }),
        }
    await unwrap(client.POST('/api/imports/{id}/start', { params: { path: { id } }, body }))
    await onStarted()
  }
  return (
    <Form savedAs={null} onSubmit={start}>
      {!isContinued && (
        <div className="import-targets">
          {(analysis?.emails.count ?? 0) > 0 && <MailTargets />}
          {(analysis?.events.count ?? 0) > 0 && <CalendarTarget />}
          {(analysis?.tasks.count ?? 0) > 0 && <TaskTarget />}
          {(analysis?.events.count ?? 0) + (analysis?.tasks.count ?? 0) > 0 && (
            <TimeZone chosen={options.timezone} />
          )}
        </div>
      )}
      <Submit>{isContinued ? t.startAgain : t.start}</Submit>
    </Form>
  )
}
