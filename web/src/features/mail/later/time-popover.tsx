import type { RefObject } from 'react'
import { FormPopover } from '../../../ui/popover.tsx'
import type { Preset } from './presets.ts'
import { TimeChoice, useTimeChoice } from './time-choice.tsx'

interface TimePopoverProps {
  open: boolean
  anchor: RefObject<Element | null>
  title: string
  about: string
  action: string
  listPresets: (now: Date, timeZone: string) => Preset[]
  onClose: () => void
  onChoose: (at: string) => Promise<void> | void
}

/** Asks for a time beside a button, for example the time of sending. */
export const TimePopover = (props: TimePopoverProps) => {
  const choice = useTimeChoice()
  return (
    <FormPopover
      open={props.open}
      anchor={props.anchor}
      onClose={props.onClose}
      title={props.title}
      about={props.about}
      action={props.action}
      onSubmit={async () => props.onChoose(await choice.resolve())}
    >
      <TimeChoice choice={choice} presets={props.listPresets(choice.now, choice.timeZone)} />
    </FormPopover>
  )
}
