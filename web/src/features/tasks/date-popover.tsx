import { type ReactElement, type ReactNode, useState } from 'react'
import * as common from '#locale/shared-texts'
import { Button } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { readText } from '../../ui/form-values.ts'
import { OptionalDateField, OptionalTimeField, useDateTimeText } from '../../ui/optional-date-time.tsx'
import { Popover } from '../../ui/popover.tsx'

interface DayAndTime {
  /** YYYY-MM-DD */
  day: string | null
  /** HH:MM */
  time: string | null
}

interface DatePopoverProps {
  title: string
  labels: { day: string; time: string }
  timeHint: string
  value: DayAndTime
  /** The button that opens it. */
  trigger: ReactElement
  onChange: (value: DayAndTime) => void
  /** Usual days. `close` closes the popover. */
  choices?: (close: () => void) => ReactNode
}

/** Sets a date and an optional time beside the button that shows them. */
export const DatePopover = (props: DatePopoverProps) => {
  const { title, labels, timeHint, value, trigger, onChange, choices } = props
  const [isOpen, setIsOpen] = useState(false)
  const { parseDay, parseTime } = useDateTimeText()
  const close = () => setIsOpen(false)
  const choose = (chosen: DayAndTime) => {
    close()
    onChange(chosen)
  }
  return (
    <Popover
      open={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={close}
      trigger={trigger}
      title={title}
      size="small"
    >
      {choices?.(close)}
      <Form
        label={title}
        savedAs={null}
        onSubmit={(values) =>
          choose({ day: parseDay(readText(values, 'day')), time: parseTime(readText(values, 'time')) })
        }
      >
        <div className="task-due-fields">
          <OptionalDateField name="day" label={labels.day} required defaultValue={value.day} />
          <OptionalTimeField name="time" label={labels.time} hint={timeHint} defaultValue={value.time} />
        </div>
        <div className="form-actions">
          <Submit>{common.save}</Submit>
          {value.day !== null && !choices && (
            <Button kind="quiet" onClick={() => choose({ day: null, time: null })}>
              {common.remove}
            </Button>
          )}
        </div>
      </Form>
    </Popover>
  )
}
