import * as t from '#locale/shares'
import { useOfferActions } from '../../api/shares.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useNotify } from '../../ui/toast.tsx'

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
  const leave = async ({ shareId, name }: LeavableShare) => {
    await decline(shareId)
    notify(t.left(name))
  }
  return (
    <ConfirmDialog
      item={share}
      onClose={onClose}
      title={({ name }) => t.leaveTitle(name)}
      about={({ ownerName }) => t.leaveHelp(ownerName)}
      action={t.leave}
      onConfirm={leave}
    />
  )
}
