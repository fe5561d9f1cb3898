import { Dialog } from '@base-ui/react/dialog'
import * as t from '#locale/commands'
import type { QuickAddProps } from '../../shell/frame.tsx'
import { DialogPopup } from '../../ui/dialog.tsx'
import { QuickAddForm } from './quick-add-form.tsx'

/** Adds a task or an event from any page. */
export const QuickAdd = ({ open, onClose }: QuickAddProps) => (
  <DialogPopup open={open} onClose={onClose} kind="popover" className="quick-add" focusesField>
    <Dialog.Title className="visually-hidden">{t.quickAdd}</Dialog.Title>
    <QuickAddForm onDone={onClose} />
  </DialogPopup>
)
