import { useQuery } from '@tanstack/react-query'
import { CalendarDays, X } from 'lucide-react'
import { useId, useRef } from 'react'
import * as t from '#locale/calendars'
import {
  type CalendarMirror,
  type MirrorDetail,
  mirrorsQuery,
  useMirrorActions,
} from '../../../api/calendar-mirrors.ts'
import type { Calendar } from '../../../api/calendars.ts'
import { useClient } from '../../../api/context.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Options, SelectField } from '../../../ui/field.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { useAttempt } from '../../../ui/use-attempt.ts'
import { useLastValue } from '../../../ui/use-last-value.ts'
import './mirrors-dialog.css'

const DETAILS = Object.entries(t.mirrorDetails) as [MirrorDetail, string][]

interface MirrorsProps {
  calendar: Calendar
  calendars: readonly Calendar[]
}

interface MirrorRowProps {
  mirror: CalendarMirror
  target: string
  onChange: (detail: MirrorDetail) => void
  onRemove: () => void
}

const MirrorRow = ({ mirror, target, onChange, onRemove }: MirrorRowProps) => (
  <Row
    data-wraps="true"
    className="mirror-row"
    icon={CalendarDays}
    title={target}
    actions={
      <>
        <select
          className="input"
          aria-label={t.mirrorDetailOf(target)}
          value={mirror.detail}
          onChange={({ target: select }) => onChange(select.value as MirrorDetail)}
        >
          <Options entries={DETAILS} />
        </select>
        <IconButton
          icon={X}
          iconSize={18}
          label={t.stopMirroringIn(target)}
          title={t.stopMirroringIn(target)}
          onClick={onRemove}
        />
      </>
    }
  />
)

const MirrorList = ({ calendar, calendars }: MirrorsProps) => {
  const notify = useNotify()
  const attempt = useAttempt()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useQuery(mirrorsQuery(useClient(), calendar.id))
  const { add, change, remove } = useMirrorActions(calendar.id)
  const nameOf = ({ targetCalendarId }: CalendarMirror): string =>
    calendars.find(({ id }) => id === targetCalendarId)?.name ?? t.calendar
  const runWithToast = (work: () => Promise<void>, text: string, undo?: () => void) =>
    attempt(async () => {
      await work()
      notify(text, { ...(undo && { undo }) })
    })
  const changeDetail = (mirror: CalendarMirror, detail: MirrorDetail) =>
    runWithToast(() => change(mirror, detail), t.mirrorChanged(nameOf(mirror)))
  const stop = async (mirror: CalendarMirror): Promise<void> => {
    const { targetCalendarId, detail } = mirror
    const name = nameOf(mirror)
    const addAgain = () => void runWithToast(() => add(targetCalendarId, detail), t.mirrorAdded(name))
    await runWithToast(() => remove(mirror), t.mirrorRemoved(name), addAgain)
    heading.current?.focus()
  }
  return (
    <section aria-labelledby={headingId}>
      <h3 ref={heading} id={headingId} className="mirror-heading" tabIndex={-1}>
        {t.targets}
      </h3>
      <RowList
        query={query}
        itemsOf={({ mirrors }) => mirrors}
        empty={<p className="quiet">{t.noTargets}</p>}
      >
        {(mirror) => (
          <MirrorRow
            key={mirror.id}
            mirror={mirror}
            target={nameOf(mirror)}
            onChange={(detail) => void changeDetail(mirror, detail)}
            onRemove={() => void stop(mirror)}
          />
        )}
      </RowList>
    </section>
  )
}

const AddForm = ({ calendar, calendars }: MirrorsProps) => {
  const notify = useNotify()
  const { data } = useQuery(mirrorsQuery(useClient(), calendar.id))
  const { add } = useMirrorActions(calendar.id)
  const taken = new Set(data?.mirrors.map(({ targetCalendarId }) => targetCalendarId))
  const targets = calendars.filter(
    ({ id, owner, readOnly }) => owner === null && !readOnly && id !== calendar.id && !taken.has(id),
  )
  if (targets.length === 0) return <p className="quiet">{t.noMirrorTarget}</p>
  const submit = async (values: FormData): Promise<void> => {
    const target = targets.find(({ id }) => id === Number(values.get('target')))
    if (!target) return
    await add(target.id, values.get('detail') as MirrorDetail)
    notify(t.mirrorAdded(target.name))
  }
  return (
    <Form label={t.mirrorTitle(calendar.name)} resetOnSuccess onSubmit={submit}>
      <div className="mirror-fields">
        <SelectField name="target" label={t.calendar}>
          <Options entries={targets.map(({ id, name }) => [id, name] as const)} />
        </SelectField>
        <SelectField name="detail" label={t.mirrorDetail} defaultValue="busy">
          <Options entries={DETAILS} />
        </SelectField>
        <Submit>{t.showEvents}</Submit>
      </div>
    </Form>
  )
}

interface MirrorsDialogProps {
  /** The user's own calendar. Null closes the dialog. */
  calendar: Calendar | null
  calendars: readonly Calendar[]
  onClose: () => void
}

/** Shows the events of a calendar in other calendars. Every change takes effect at once. */
export const MirrorsDialog = ({ calendar, calendars, onClose }: MirrorsDialogProps) => {
  const displayed = useLastValue(calendar)
  return (
    <Dialog
      open={calendar !== null}
      onClose={onClose}
      title={t.mirrorTitle(displayed?.name ?? '')}
      about={t.mirrorHelp}
      size="large"
    >
      {displayed && (
        <>
          <AddForm calendar={displayed} calendars={calendars} />
          <MirrorList calendar={displayed} calendars={calendars} />
        </>
      )}
    </Dialog>
  )
}
