import * as t from '#locale/calendars'
import * as common from '#locale/shared-texts'
import { CALENDAR_COLORS, type Calendar, useCalendarActions } from '../../../api/calendars.ts'
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.tsx'
import { CheckField, TextField } from '../../../ui/field.tsx'
import { readText } from '../../../ui/form-values.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { LeaveDialog } from '../../sharing/leave-dialog.tsx'
import { ShareDialog } from '../../sharing/share-dialog.tsx'
import { ImportDialog } from '../files/import-dialog.tsx'
import { SubscribeDialog } from '../files/subscribe-dialog.tsx'
import { findDefaultCalendar } from './calendar-access.ts'
import { ColorField } from './color-choice.tsx'
import { MirrorsDialog } from './mirrors-dialog.tsx'

/** An action on calendars that needs a dialog. Without a calendar, links and import concern all calendars. */
export type CalendarAction =
  | { kind: 'add' }
  | { kind: 'links' | 'import'; calendar: Calendar | null }
  | { kind: 'rename' | 'share' | 'mirrors' | 'delete' | 'leave'; calendar: Calendar }

interface DialogProps {
  calendar: Calendar | null
  onClose: () => void
}

/** The first color that no own calendar has. */
const suggestColor = (calendars: readonly Calendar[]): string =>
  CALENDAR_COLORS.find((color) => calendars.every((calendar) => calendar.color !== color)) ??
  CALENDAR_COLORS[0]

const NameField = ({ defaultValue = '' }: { defaultValue?: string }) => (
  <TextField
    name="name"
    label={t.name}
    maxLength={100}
    autoComplete="off"
    required
    defaultValue={defaultValue}
  />
)

interface AddDialogProps {
  open: boolean
  onClose: () => void
  calendars: readonly Calendar[]
}

const AddDialog = ({ open, onClose, calendars }: AddDialogProps) => {
  const notify = useNotify()
  const { create } = useCalendarActions()
  const submit = async (values: FormData) => {
    const { name } = await create({ name: readText(values, 'name'), color: String(values.get('color')) })
    notify(t.added(name))
    onClose()
  }
  return (
    <FormDialog open={open} onClose={onClose} title={t.addCalendar} action={t.add} onSubmit={submit}>
      <NameField />
      <ColorField name="color" defaultValue={suggestColor(calendars)} />
    </FormDialog>
  )
}

const RenameDialog = ({ calendar, onClose }: DialogProps) => {
  const notify = useNotify()
  const { change } = useCalendarActions()
  const named = useLastValue(calendar)
  const submit = async (values: FormData) => {
    if (!calendar) return
    const name = readText(values, 'name')
    await change(calendar.id, { name })
    notify(t.renamed(name))
    onClose()
  }
  return (
    <FormDialog
      open={calendar !== null}
      onClose={onClose}
      title={t.renameTitle(named?.name ?? '')}
      action={common.save}
      savedAs={`calendar:${named?.id ?? ''}`}
      onSubmit={submit}
    >
      <NameField key={named?.id} defaultValue={named?.name ?? ''} />
    </FormDialog>
  )
}

const DeleteDialog = ({ calendar, onClose, target }: DialogProps & { target: string }) => {
  const notify = useNotify()
  const { remove } = useCalendarActions()
  const confirm = async ({ id, name }: Calendar, values: FormData) => {
    await remove(id, values.get('events') === 'delete' ? 'delete' : 'move')
    notify(t.deleted(name))
  }
  return (
    <ConfirmDialog
      item={calendar}
      onClose={onClose}
      title={({ name }) => t.deleteTitle(name)}
      about={() => t.deleteAbout(target)}
      action={common.remove}
      onConfirm={confirm}
    >
      <CheckField name="events" value="delete" label={t.deleteEventsToo} />
    </ConfirmDialog>
  )
}

interface CalendarDialogsProps {
  /** Null closes the dialog. */
  action: CalendarAction | null
  calendars: readonly Calendar[]
  onClose: () => void
}

const calendarFor = (action: CalendarAction | null, kind: CalendarAction['kind']): Calendar | null =>
  action?.kind === kind && action.kind !== 'add' ? action.calendar : null

const toLeavable = (calendar: Calendar | null) =>
  calendar === null || calendar.shareId === null
    ? null
    : { shareId: calendar.shareId, name: calendar.name, ownerName: calendar.owner?.name ?? '' }

const toShareable = (calendar: Calendar | null) =>
  calendar && { kind: 'calendar' as const, id: calendar.id, name: calendar.name }

export const CalendarDialogs = ({ action, calendars, onClose }: CalendarDialogsProps) => (
  <>
    <AddDialog open={action?.kind === 'add'} onClose={onClose} calendars={calendars} />
    <RenameDialog calendar={calendarFor(action, 'rename')} onClose={onClose} />
    <ShareDialog resource={toShareable(calendarFor(action, 'share'))} onClose={onClose} />
    <MirrorsDialog calendar={calendarFor(action, 'mirrors')} calendars={calendars} onClose={onClose} />
    <DeleteDialog
      calendar={calendarFor(action, 'delete')}
      onClose={onClose}
      target={findDefaultCalendar(calendars)?.name ?? ''}
    />
    <LeaveDialog share={toLeavable(calendarFor(action, 'leave'))} onClose={onClose} />
    <ImportDialog
      open={action?.kind === 'import'}
      calendar={calendarFor(action, 'import')}
      onClose={onClose}
    />
    <SubscribeDialog
      open={action?.kind === 'links'}
      calendar={calendarFor(action, 'links')}
      calendars={calendars}
      onClose={onClose}
    />
  </>
)
