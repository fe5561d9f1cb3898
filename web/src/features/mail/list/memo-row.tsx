import { type ComponentProps, memo, useRef, useState } from 'react'
import { MailRow, type RowHandlers } from './mail-row.tsx'

type MailRowProps = ComponentProps<typeof MailRow>

const isSameShallow = (before: object, after: object): boolean => {
  const names = Object.keys(after) as (keyof typeof after)[]
  return (
    names.length === Object.keys(before).length && names.every((name) => Object.is(before[name], after[name]))
  )
}

/** A row that renders again only if its own values change. While the list scrolls, most rows stay the same. */
export const MemoMailRow = memo(MailRow, ({ row, ...before }: MailRowProps, { row: newRow, ...after }) => {
  return isSameShallow(row, newRow) && isSameShallow(before, after)
})

/** Handlers whose identity never changes. They call the handlers of the last render. */
export const useStableHandlers = (handlers: RowHandlers): RowHandlers => {
  const latest = useRef(handlers)
  latest.current = handlers
  const [stable] = useState(() =>
    Object.fromEntries(
      Object.keys(handlers).map((name) => [
        name,
        (...args: unknown[]) =>
          (latest.current[name as keyof RowHandlers] as (...given: unknown[]) => unknown)(...args),
      ]),
    ),
  )
  return stable as unknown as RowHandlers
}
