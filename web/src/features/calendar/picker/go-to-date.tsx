import { CalendarSearch } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/calendar'
import { Button } from '../../../ui/button.tsx'
import { DateField } from '../../../ui/date-time-input.tsx'
import { Form, Submit } from '../../../ui/form.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { type Day, dayOf } from '../days.ts'
import type { MonthGridProps } from './month-grid.tsx'
import { MonthPicker } from './month-picker.tsx'

type GoToDateProps = Omit<MonthGridProps, 'month' | 'counts' | 'onLeave'> & {
  open: boolean
  onOpen: () => void
  onClose: () => void
  day: Day
}

/** Jumps to a typed date, or to a day of a small month. */
export const GoToDate = ({ open, onOpen, onClose, ...rest }: GoToDateProps) => (
  <Popover
    open={open}
    onOpen={onOpen}
    onClose={onClose}
    title={t.goToDate}
    size="small"
    trigger={
      <Button kind="quiet" shape="icon" aria-label={t.goToDate} title={t.goToDate} data-go-to-date="">
        <CalendarSearch size={18} aria-hidden="true" />
      </Button>
    }
  >
    <GoToDateForm {...rest} />
  </Popover>
)

const GoToDateForm = ({ day, onSelect, ...grid }: Omit<GoToDateProps, 'open' | 'onOpen' | 'onClose'>) => {
  const [typed, setTyped] = useState(day.toString())
  return (
    <>
      <Form onSubmit={() => onSelect(dayOf(typed))} savedAs={null}>
        <div className="go-to-date">
          <DateField name="date" label={t.date} value={typed} onChange={setTyped} />
          <Submit>{t.go}</Submit>
        </div>
      </Form>
      <MonthPicker {...grid} day={dayOf(typed)} onSelect={onSelect} />
    </>
  )
}
