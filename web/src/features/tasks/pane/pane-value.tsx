import { type ComponentProps, useId } from 'react'

interface PaneValueProps extends ComponentProps<'button'> {
  label: string
}

/** A value that opens its popover. The ref and the handlers come from the trigger of the popover. */
export const PaneValue = ({ label, children, ...trigger }: PaneValueProps) => {
  const id = useId()
  return (
    <div className="field">
      <span id={`${id}-label`} className="field-label">
        {label}
      </span>
      <button
        type="button"
        {...trigger}
        id={`${id}-value`}
        className="input task-pane-value"
        aria-labelledby={`${id}-label ${id}-value`}
      >
        {children}
      </button>
    </div>
  )
}
