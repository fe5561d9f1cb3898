import { type ComponentProps, startTransition, useOptimistic } from 'react'

interface OptimisticCheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  checked: boolean
  /** Settles when `checked` has its new value. It reports errors itself. */
  onChange: (checked: boolean) => Promise<unknown>
}

/** A checkbox that changes with the click and does not wait for the server. */
export const OptimisticCheckbox = ({ checked, onChange, ...attributes }: OptimisticCheckboxProps) => {
  const [isChecked, setIsChecked] = useOptimistic(checked)
  return (
    <input
      {...attributes}
      type="checkbox"
      checked={isChecked}
      onChange={({ target }) => {
        const next = target.checked
        startTransition(async () => {
          setIsChecked(next)
          await onChange(next)
        })
      }}
    />
  )
}
