import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, FormDialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useLast } from '../../../ui/use-last.ts'
import { type ListNamed, useListDeeds, useWaysOut, type WayOut } from './use-mailing-lists.ts'
import './mailing-lists.css'

const ABOUT: Readonly<Record<WayOut['by'], (to: string) => string>> = {
  'one-click': (to) => `${to} is asked to take you off the list. It hears nothing else of you.`,
  mail: (to) => `A mail from your account to ${to} asks to take you off the list.`,
  page: (to) => `This list is left on a page of its own, at ${to}. It opens in a new window.`,
}
const ACTION: Readonly<Record<WayOut['by'], string>> = {
  'one-click': 'Unsubscribe',
  mail: 'Send the mail',
  page: 'Open the page',
}
const INSTEAD: Readonly<Record<WayOut['by'], (to: string) => string>> = {
  'one-click': (to) => `Ask ${to}`,
  mail: (to) => `Write to ${to}`,
  page: (to) => `Open the page at ${to}`,
}

/** One way after the other: the next is offered when one has failed. */
const Leaving = ({
  list,
  ways,
  onClose,
}: {
  list: ListNamed
  ways: readonly [WayOut, ...WayOut[]]
  onClose: () => void
}) => {
  const deeds = useListDeeds()
  const [way, setWay] = useState(ways[0])
  const [hasFailed, setHasFailed] = useState(false)
  const others = hasFailed ? ways.filter((one) => one !== way) : []
  const leave = async () => {
    if (way.url !== null) window.open(way.url, '_blank', 'noopener,noreferrer')
    else
      try {
        await deeds.leave(list, way.by)
      } catch (error) {
        setHasFailed(true)
        throw error
      }
    onClose()
  }
  return (
    <FormDialog
      key={way.by}
      open
      onClose={onClose}
      title={`Unsubscribe from ${list.name}?`}
      about={ABOUT[way.by](way.to)}
      action={ACTION[way.by]}
      onSubmit={leave}
    >
      {others.length > 0 && (
        <p className="ways-out">
          {others.map((other) => (
            <Button key={other.by} size="small" onClick={() => setWay(other)}>
              {INSTEAD[other.by](other.to)}
            </Button>
          ))}
        </p>
      )}
    </FormDialog>
  )
}

/** Names whom it tells before it tells anyone. */
export const UnsubscribeDialog = ({ list, onClose }: { list: ListNamed | null; onClose: () => void }) => {
  const named = useLast(list)
  const query = useWaysOut(list?.emailId ?? null)
  const [first, ...more] = query.data?.refusal === null ? query.data.ways : []
  if (list && first) return <Leaving list={list} ways={[first, ...more]} onClose={onClose} />
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
