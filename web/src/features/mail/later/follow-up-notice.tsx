import { BellRing } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/mail-later'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useDates } from '../../../ui/time.tsx'
import type { Email } from '../folders.ts'
import { FollowUpDialog } from './snooze-dialog.tsx'

interface FollowUpNoticeProps {
  email: Email
  /** The last email of the thread: nobody has answered it. */
  isLast: boolean
  /** Null removes the reminder. */
  onChange: (at: string | null) => void
}

/** The reminder of a sent email, or the button that sets one. */
export const FollowUpNotice = ({ email, isLast, onChange }: FollowUpNoticeProps) => {
  const { dateTime } = useDates()
  const [isAsking, setIsAsking] = useState(false)
  const { followUpAt, folder, delivery } = email
  if (followUpAt !== null)
    return (
      <Notice tone="accent" icon={BellRing}>
        <p>{t.remindedAt(dateTime(followUpAt))}</p>
        <Button size="small" onClick={() => onChange(null)}>
          {t.removeReminder}
        </Button>
      </Notice>
    )
  if (folder !== 'sent' || !isLast || (delivery !== null && delivery.status !== 'sent')) return null
  return (
    <>
      <Button size="small" kind="quiet" onClick={() => setIsAsking(true)}>
        <BellRing size={15} aria-hidden="true" />
        {t.remindMe}
      </Button>
      {isAsking && <FollowUpDialog onClose={() => setIsAsking(false)} onChoose={onChange} />}
    </>
  )
}
