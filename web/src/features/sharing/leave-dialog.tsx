import * as t from '#locale/shares'
import { useOfferActions } from '../../api/shares.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { rememberRowFocus } from '../../ui/row-focus.ts'
import { useNotify } from '../../ui/toast.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'

/** A task list or calendar of somebody else. */
export interface LeavableShare {
  shareId: number
  name: string
  ownerName: string
}

interface LeaveDialogProps {
  /** Null closes the dialog. */
  share: LeavableShare | null
  onClose: () => void
}

/** Confirms that the user leaves a shared task list or calendar. The user cannot undo it alone. */
export const LeaveDialog = ({ share, onClose }: LeaveDialogProps) => {
  const notify = useNotify()
  const { decline } = useOfferActions()
  const named = useLastValue(share)
  const leave = async () => {
    if (!share) return
    const restoreFocus = rememberRowFocus()
    await decline(share.shareId)
    onClose()
    notify(t.left(share.name))
    restoreFocus()
  }
  return (
    <FormDialog
      open={share !== null}
      onClose={onClose}
      alert
      danger
      title={t.leaveTitle(named?.name ?? '')}
      about={t.leaveHelp(named?.ownerName ?? '')}
      action={t.leave}
      onSubmit={leave}
    />
  )
}
