import { type RefObject, useState } from 'react'
import * as t from '#locale/subscriptions'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FormPopover, Popover } from '../../../ui/popover.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import {
  type MailingListRef,
  type UnsubscribeMethod,
  useMailingListActions,
  useUnsubscribeOptions,
} from './use-mailing-lists.ts'
import './mailing-lists.css'

type Anchor = Element | RefObject<Element | null> | null

interface UnsubscribeFormProps {
  list: MailingListRef
  anchor: Anchor
  ways: readonly [UnsubscribeMethod, ...UnsubscribeMethod[]]
  onClose: () => void
}

/** Tries one unsubscribe method. After a failure it offers the others. */
const UnsubscribeForm = ({ list, anchor, ways, onClose }: UnsubscribeFormProps) => {
  const listActions = useMailingListActions()
  const [method, setMethod] = useState(ways[0])
  const [hasFailed, setHasFailed] = useState(false)
  const others = hasFailed ? ways.filter((one) => one !== method) : []
  const unsubscribe = async () => {
    if (method.url !== null) window.open(method.url, '_blank', 'noopener,noreferrer')
    else
      try {
        await listActions.unsubscribe(list, method.by)
      } catch (error) {
        setHasFailed(true)
        throw error
      }
  }
  return (
    <FormPopover
      key={method.by}
      open
      onClose={onClose}
      anchor={anchor}
      title={t.unsubscribeTitle(list.name)}
      about={t.methods[method.by].about(method.to)}
      action={t.methods[method.by].action}
      onSubmit={unsubscribe}
    >
      {others.length > 0 && (
        <p className="unsubscribe-methods">
          {others.map((other) => (
            <Button key={other.by} size="small" onClick={() => setMethod(other)}>
              {t.methods[other.by].alternative(other.to)}
            </Button>
          ))}
        </p>
      )}
    </FormPopover>
  )
}

interface UnsubscribePopoverProps {
  /** Null closes the popover. */
  list: MailingListRef | null
  anchor: Anchor
  onClose: () => void
}

/** Names the recipient of the unsubscribe request before it is sent. */
export const UnsubscribePopover = ({ list, anchor, onClose }: UnsubscribePopoverProps) => {
  const named = useLastValue(list)
  const query = useUnsubscribeOptions(list?.emailId ?? null)
  const [first, ...more] = query.data?.refusalCode === null ? query.data.ways : []
  if (list && first)
    return <UnsubscribeForm list={list} anchor={anchor} ways={[first, ...more]} onClose={onClose} />
  return (
    <Popover
      size="small"
      open={list !== null}
      onClose={onClose}
      anchor={anchor}
      title={t.unsubscribeFrom(named?.name ?? '')}
    >
      <Loaded query={query} lines={2}>
        {({ refusalCode }) => (
          <Notice tone="warn">{refusalCode === null ? t.noMethod : t.refusals[refusalCode]}</Notice>
        )}
      </Loaded>
    </Popover>
  )
}
