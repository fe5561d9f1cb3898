import { Popover as BasePopover } from '@base-ui/react/popover'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, type RefObject, useRef, useState } from 'react'
import * as common from '#locale/shared-texts'
import { useServices } from '../api/context.tsx'
import { IconButton } from './button.tsx'
import { CancelButton, Dialog } from './dialog.tsx'
import { Form, Submit } from './form.tsx'
import { rememberRowFocus } from './row-focus.ts'
import { useMediaQuery } from './use-media-query.ts'
import './style/popover.css'

/** On phones, a popover beside a small element would cover most of the page anyway. */
const PHONE = '(max-width: 720px)'
/** Initial focus: the element marked with `data-first` or the first field, whichever comes first. */
const INITIAL_FOCUS =
  '[data-first], form :is(input:not([type="checkbox"], [type="radio"], [type="hidden"]), select, textarea)'

type Anchor = Element | RefObject<Element | null> | null | (() => Element | null)

interface PopoverProps {
  open: boolean
  /** Called on Escape, the close button, or a press outside. The page reacts to that press too. */
  onClose: (isOutsidePress: boolean) => void
  title: string
  about?: ReactNode
  /** The button that opens the popover. The popover is beside it. */
  trigger?: ReactElement | undefined
  /** Called when the user presses the trigger. */
  onOpen?: () => void
  /** Without a trigger: the element beside which the popover opens. A function finds it at that time. */
  anchor?: Anchor
  /** Default: below the anchor. */
  side?: 'right' | 'bottom'
  align?: 'start' | 'end'
  /** `small`: for a question or a few fields. */
  size?: 'small' | 'middle'
  /** Set if the palette has commands for the content, so that it opens above the popover. */
  hasCommands?: boolean
  /** Returns the element that gets the focus when the popover closes. Default: the one that had it before. */
  returnFocusTo?: () => HTMLElement | null
  children?: ReactNode
}

/**
 * A small dialog beside an element. The page stays visible and usable with the pointer; the Tab key stays inside. On
 * phones it is a dialog at the bottom of the screen.
 */
export const Popover = (props: PopoverProps) => {
  const { open, onClose, onOpen, title, about, trigger, children } = props
  const isPhone = useMediaQuery(PHONE)
  const popup = useRef<HTMLDivElement>(null)
  const { unsavedInput, needsReauthentication } = useServices()
  /** The same rules as for dialogs: a press outside never discards typed text. */
  const isIgnoredClose = (reason: string): boolean =>
    needsReauthentication.get() ||
    (reason === 'outside-press' && popup.current !== null && unsavedInput.in(popup.current))
  return (
    <>
      <BasePopover.Root
        open={open && !isPhone}
        modal="trap-focus"
        onOpenChange={(isWanted, { reason }) => {
          if (isWanted) onOpen?.()
          else if (!isIgnoredClose(reason)) onClose(reason === 'outside-press')
        }}
      >
        {trigger && <BasePopover.Trigger render={trigger} />}
        <BasePopover.Portal>
          <BasePopover.Positioner
            className="popover-place"
            anchor={props.anchor}
            side={props.side ?? 'bottom'}
            align={props.align ?? 'start'}
            sideOffset={8}
            collisionPadding={12}
          >
            <BasePopover.Popup
              ref={popup}
              className="popover"
              data-size={props.size ?? 'middle'}
              data-palette={props.hasCommands || undefined}
              // On touch devices no field gets the focus, because the on-screen keyboard would open.
              initialFocus={(type) =>
                type === 'touch' || (popup.current?.querySelector<HTMLElement>(INITIAL_FOCUS) ?? true)
              }
              finalFocus={() => props.returnFocusTo?.() ?? true}
            >
              <BasePopover.Title className="popover-title">{title}</BasePopover.Title>
              {about !== undefined && (
                <BasePopover.Description className="popover-about" render={<div />}>
                  {about}
                </BasePopover.Description>
              )}
              {children}
              <BasePopover.Close
                render={<IconButton icon={X} iconSize={18} label={common.close} />}
                className="button popover-close"
              />
            </BasePopover.Popup>
          </BasePopover.Positioner>
        </BasePopover.Portal>
      </BasePopover.Root>
      {isPhone && (
        <Dialog open={open} onClose={() => onClose(false)} title={title} about={about}>
          {children}
        </Dialog>
      )}
    </>
  )
}

interface FormPopoverProps
  extends Omit<PopoverProps, 'open' | 'onOpen' | 'onClose' | 'side' | 'size' | 'hasCommands'> {
  /** Set when the caller opens the popover. Without it, the trigger does. */
  open?: boolean
  /** Called when the popover closes, also after a successful submit. */
  onClose?: () => void
  /** The label of the submit button. */
  action: string
  danger?: boolean
  /** Name under which unsent input is saved; null saves nothing. */
  savedAs?: string | null
  onSubmit(values: FormData): Promise<void> | void
}

/** A small form or a confirmation beside the button that opens it. It closes after a successful submit. */
export const FormPopover = ({
  open,
  onClose,
  action,
  danger = false,
  savedAs = null,
  onSubmit,
  children,
  ...rest
}: FormPopoverProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const isSending = useRef(false)
  // Ignored while the request runs, because closing would hide the result.
  const close = () => {
    if (isSending.current) return
    setIsOpen(false)
    onClose?.()
  }
  const submit = async (values: FormData) => {
    isSending.current = true
    const restoreFocus = rememberRowFocus()
    try {
      await onSubmit(values)
    } finally {
      isSending.current = false
    }
    close()
    restoreFocus()
  }
  return (
    <Popover {...rest} size="small" open={open ?? isOpen} onOpen={() => setIsOpen(true)} onClose={close}>
      <Form onSubmit={submit} savedAs={savedAs}>
        {children}
        <div className="dialog-actions">
          <CancelButton onClose={close} />
          <Submit kind={danger ? 'danger' : 'primary'}>{action}</Submit>
        </div>
      </Form>
    </Popover>
  )
}
