import * as t from '#locale/mail-later'
import { FormDialog } from '../../../ui/dialog.tsx'
import type { SelectedEmailActions } from '../use-selected-email-actions.ts'
import { listFollowUpPresets, listSnoozePresets } from './presets.ts'
import { TimeChoice, useTimeChoice } from './time-choice.tsx'

/** Asks until when threads are snoozed. A preset needs one press. */
const SnoozeForm = ({ close, choose }: Pick<SelectedEmailActions['snooze'], 'close' | 'choose'>) => {
  const choice = useTimeChoice()
  return (
    <FormDialog
      open
      onClose={close}
      title={t.snooze}
      about={t.snoozeAbout}
      action={t.snooze}
      savedAs={null}
      onSubmit={async () => choose(await choice.resolve())}
    >
      <TimeChoice choice={choice} presets={listSnoozePresets(choice.now, choice.timeZone)} onPick={choose} />
    </FormDialog>
  )
}

export const SnoozeDialog = ({ threads, close, choose }: SelectedEmailActions['snooze']) =>
  threads && <SnoozeForm close={close} choose={choose} />

interface FollowUpDialogProps {
  onClose: () => void
  onChoose: (at: string) => void
}

/** Asks by when an answer is expected. */
export const FollowUpDialog = ({ onClose, onChoose }: FollowUpDialogProps) => {
  const choice = useTimeChoice()
  const choose = (at: string): void => {
    onClose()
    onChoose(at)
  }
  return (
    <FormDialog
      open
      onClose={onClose}
      title={t.remindMe}
      about={t.remindAbout}
      action={t.remind}
      savedAs={null}
      onSubmit={async () => choose(await choice.resolve())}
    >
      <TimeChoice
        choice={choice}
        presets={listFollowUpPresets(choice.now, choice.timeZone)}
        onPick={choose}
      />
    </FormDialog>
  )
}
