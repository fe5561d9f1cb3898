import { useMemo } from 'react'
import * as t from '#locale/calendar'
import { ComboboxField } from '../../ui/combobox-field.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { listTimeZones } from '../../ui/time-zones.ts'

interface SecondZoneDialogProps {
  open: boolean
  timezone: string
  onChoose: (timezone: string) => void
  onClose: () => void
}

/** Chooses the time zone of the second column of hours. */
export const SecondZoneDialog = ({ open, timezone, onChoose, onClose }: SecondZoneDialogProps) => {
  const zones = useMemo(() => (open ? listTimeZones(timezone) : []), [open, timezone])
  const choose = (values: FormData) => {
    onChoose(String(values.get('timezone')))
    onClose()
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t.secondZone}
      action={t.showZone}
      savedAs={null}
      onSubmit={choose}
    >
      <ComboboxField name="timezone" label={t.timeZone} choices={zones} defaultValue={timezone} />
    </FormDialog>
  )
}
