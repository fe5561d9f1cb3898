import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as t from '#locale/assistant'
import { unwrap } from '../../api/client.ts'
import { useClient } from '../../api/context.tsx'
import { Button } from '../../ui/button.tsx'
import { TimeField } from '../../ui/date-time-input.tsx'
import { TextField } from '../../ui/field.tsx'
import { readText } from '../../ui/form-values.ts'
import { FormPopover } from '../../ui/popover.tsx'
import { useDates } from '../../ui/time.tsx'
import { useNotify } from '../../ui/toast.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { instantOf, toLocalTime } from '../tasks/local-time.ts'
import type { Slot } from './items.ts'

const MAX_SLOTS = 6
const DEFAULT_MINUTES = 60
const MINUTE_MS = 60_000

const minutesOf = ({ start, end, minutes }: Slot): number => {
  const all = Math.round((Date.parse(end) - Date.parse(start)) / MINUTE_MS)
  return Math.min(all, minutes ?? DEFAULT_MINUTES)
}

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)

/** One free time. It asks for the title, the start and the length, because a free time is often longer. */
const SlotButton = ({ slot }: { slot: Slot }) => {
  const client = useClient()
  const queries = useQueryClient()
  const notify = useNotify()
  const attempt = useAttempt()
  const { nearDay, dayOf, hours, timeZone } = useDates()
  const [time, setTime] = useState(() => toLocalTime(slot.start, timeZone).slice(11, 16))
  const day = dayOf(slot.start)
  const when = `${capitalize(nearDay(day, new Date()))}, ${hours(slot.start, slot.end)}`
  const undo = async (id: number) => {
    await attempt(async () => {
      await unwrap(client.DELETE('/api/calendar/events/{id}', { params: { path: { id } } }))
      notify(t.undone)
    })
    await queries.invalidateQueries({ queryKey: ['calendar'] })
  }
  const create = async (values: FormData) => {
    const title = readText(values, 'title')
    const start = instantOf(`${day}T${time}`, timeZone)
    const end = new Date(Date.parse(start) + Number(values.get('minutes')) * MINUTE_MS).toISOString()
    const { id } = await unwrap(client.POST('/api/calendar/events', { body: { title, start, end } }))
    notify(t.cards.eventCreated(title), { undo: () => void undo(id) })
    await queries.invalidateQueries({ queryKey: ['calendar'] })
  }
  return (
    <FormPopover
      title={t.cards.newEvent}
      about={when}
      action={t.cards.createEvent}
      trigger={
        <Button size="small" aria-label={t.cards.book(when)}>
          {when}
        </Button>
      }
      onSubmit={create}
    >
      <TextField name="title" label={t.cards.eventTitle} required maxLength={500} />
      <TimeField name="time" label={t.cards.eventStart} value={time} onChange={setTime} />
      <TextField
        name="minutes"
        label={t.fields.minutes ?? ''}
        type="number"
        inputMode="numeric"
        min={5}
        max={1440}
        required
        defaultValue={String(minutesOf(slot))}
      />
    </FormPopover>
  )
}

/** Free times. Choosing one creates an event in it. */
export const SlotButtons = ({ slots }: { slots: readonly Slot[] }) =>
  slots.length > 0 && (
    <fieldset className="chat-options">
      <legend>{t.cards.freeTime}</legend>
      {slots.slice(0, MAX_SLOTS).map((slot) => (
        <SlotButton key={slot.start} slot={slot} />
      ))}
    </fieldset>
  )
