import { type ComponentProps, startTransition, useOptimistic } from 'react'
import { Field } from './field.tsx'

interface OptimisticSelectProps extends Omit<ComponentProps<'select'>, 'name' | 'value' | 'onChange'> {
  name: string
  label: string
  value: string
  /** Settles when `value` is the new one. It reports errors itself. */
  onChange: (value: string) => Promise<unknown>
}

/** A labelled select that takes effect at once and does not wait for the server. */
export const OptimisticSelect = ({ name, label, value, onChange, ...attributes }: OptimisticSelectProps) => {
  const [chosen, setChosen] = useOptimistic(value)
  return (
    <Field name={name} label={label}>
      {(control) => (
        <select
          className="input"
          {...attributes}
          {...control}
          value={chosen}
          onChange={({ target }) => {
            const next = target.value
            startTransition(async () => {
              setChosen(next)
              await onChange(next)
            })
          }}
        />
      )}
    </Field>
  )
}
