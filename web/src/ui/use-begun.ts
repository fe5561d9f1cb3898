import { type RefObject, useEffect } from 'react'
import { useWorld } from '../api/context.tsx'

/** What was begun in a field and not sent stands there again when somebody comes back from another room. */
export const useBegun = (
  name: string,
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
): void => {
  const { begun, session } = useWorld()
  useEffect(() => {
    const element = field.current
    if (!element) return
    const words = begun.get(name) ?? ''
    if (words !== '') {
      element.value = words
      // As if it had been typed: whoever watches the field knows that it is not empty.
      element.dispatchEvent(new Event('input', { bubbles: true }))
    }
    return () => {
      // Whoever has signed out leaves nothing to the next.
      if (session.state.get().status === 'in') begun.set(name, element.value)
    }
  }, [name, field, begun, session])
}
