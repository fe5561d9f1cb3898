import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import {
  type MailingListRef,
  type UnsubscribeMethod,
  useMailingListActions,
  useUnsubscribeOptions,
} from './use-mailing-lists.ts'
import './mailing-lists.css'

const ABOUT: Readonly<Record<UnsubscribeMethod['by'], (to: string) => string>> = {
  'one-click': (to) => `${to} is asked to take you off the list. It hears nothing else of you.`,
  mail: (to) => `A mail from your account to ${to} asks to take you off the list.`,
  page: (to) => `This list is left on a page of its own, at ${to}. It opens in a new window.`,
}
const ACTION: Readonly<Record<UnsubscribeMethod['by'], string>> = {
  'one-click': 'Unsubscribe',
  mail: 'Send the mail',
  page: 'Open the page',
}
const INSTEAD: Readonly<Record<UnsubscribeMethod['by'], (to: string) => string>> = {
  'one-click': (to) => `Ask ${to}`,
  mail: (to) => `Write to ${to}`,
  page: (to) => `Open the page at ${to}`,
}

/** Tries one unsubscribe method. After a failure it offers the others. */
const UnsubscribeForm = ({
  list,
  ways,
  onClose,
}: {
  list: MailingListRef
  ways: readonly [UnsubscribeMethod, ...UnsubscribeMethod[]]
  onClose: () => void
}) => {
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
    onClose()
  }
  return (
    <FormDialog
      key={method.by}
      open
      onClose={onClose}
      title={`Unsubscribe from ${list.name}?`}
      about={ABOUT[method.by](method.to)}
      action={ACTION[method.by]}
      onSubmit={unsubscribe}
    >
      {others.length > 0 && (
        <p className="ways-out">
          {others.map((other) => (
            <Button key={other.by} size="small" onClick={() => setMethod(other)}>
              {INSTEAD[other.by](other.to)}
            </Button>
          ))}
        </p>
      )}
    </FormDialog>
  )
}

/** Names the recipient of the unsubscribe request before it is sent. */
export const UnsubscribeDialog = ({
  list,
  onClose,
}: {
  list: MailingListRef | null
  onClose: () => void
}) => {
  const named = useLastValue(list)
  const query = useUnsubscribeOptions(list?.emailId ?? null)
  const [first, ...more] = query.data?.refusal === null ? query.data.ways : []
  if (list && first) return <UnsubscribeForm list={list} ways={[first, ...more]} onClose={onClose} />
  return (
    <Dialog open={list !== null} onClose={onClose} title={`Unsubscribe from ${named?.name ?? ''}`}>
      <Loaded query={query} lines={2}>
        {({ refusal }) => (
          <Notice tone="warn">{refusal ?? 'The mails of this list do not say how it is left.'}</Notice>
        )}
      </Loaded>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
