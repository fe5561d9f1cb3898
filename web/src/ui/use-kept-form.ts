import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { readControls, restore, startOver, type Values, writtenIn } from './kept-controls.ts'
import { useKept } from './use-kept.ts'

/** Whether what was written before stands there again; `moved`: in place of something else than it did. */
type Again = 'no' | 'yes' | 'moved'

export type KeptForm = ReturnType<typeof useKeptForm>

/** Keeps what is written into the controls of a form, and puts it there again. */
export const useKeptForm = (
  form: RefObject<HTMLFormElement | null>,
  name: string | null,
  { silent }: { silent: boolean },
) => {
  const kept = useKept(name, { silent })
  const before = useRef<Values | null>(null)
  const [again, setAgain] = useState<Again>('no')
  useLayoutEffect(() => {
    const [element, written] = [form.current, kept.read()]
    if (!element) return
    before.current ??= readControls(element)
    const stood = before.current
    if (!written || !restore(element, written) || silent) return
    const isMoved = Object.entries(written).some(([field, { was }]) => (stood.get(field) ?? was) !== was)
    setAgain(isMoved ? 'moved' : 'yes')
  }, [form, kept, silent])

  return {
    again,
    keep(): void {
      if (form.current && before.current) kept.keep(writtenIn(form.current, before.current))
    },
    send: kept.send,
    forget: kept.forget,
    /** What stands there now was taken. */
    settle(): void {
      kept.forget()
      setAgain('no')
      if (form.current) before.current = readControls(form.current)
    },
    startOver(): void {
      if (form.current && before.current) startOver(form.current, before.current)
      kept.forget()
      setAgain('no')
    },
  }
}
