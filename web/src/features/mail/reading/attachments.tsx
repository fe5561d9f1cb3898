import { Download, FileText, Image as ImageIcon, Paperclip } from 'lucide-react'
import { useState } from 'react'
import * as t from '#locale/attachments'
import { unwrapFile } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useBusyAttempt } from '../../../ui/use-busy-attempt.ts'
import { readAttachment, sizeInWords } from '../attachment-bytes.ts'
import type { Attachment, Email } from '../folders.ts'
import { AttachmentPreview } from './attachment-preview.tsx'
import { useInvitation } from './use-invitation.ts'

const iconFor = (contentType: string) => {
  if (contentType.startsWith('image/')) return ImageIcon
  return /^text\/|pdf|word|document/.test(contentType) ? FileText : Paperclip
}

interface AttachmentItemProps {
  email: Email
  attachment: Attachment
  onPreview: () => void
}

const AttachmentItem = ({ email, attachment, onPreview }: AttachmentItemProps) => {
  const client = useClient()
  const { isBusy, attempt } = useBusyAttempt()
  const { filename, contentType, size } = attachment
  const Icon = iconFor(contentType)
  const download = () =>
    attempt(async () => saveFile(await readAttachment(client, email.id, attachment), filename))
  return (
    <li className="attachment">
      <Icon size={17} aria-hidden="true" />
      <button
        type="button"
        className="attachment-name"
        title={filename}
        aria-label={t.preview(filename)}
        onClick={onPreview}
      >
        {filename}
      </button>
      <span className="quiet small">{sizeInWords(size)}</span>
      <Button
        kind="quiet"
        shape="icon"
        size="small"
        busy={isBusy}
        aria-label={t.download({ filename, size: sizeInWords(size) })}
        onClick={() => void download()}
      >
        {!isBusy && <Download size={16} aria-hidden="true" />}
      </Button>
    </li>
  )
}

const DownloadAll = ({ email: { id } }: { email: Email }) => {
  const client = useClient()
  const { isBusy, attempt } = useBusyAttempt()
  const download = () =>
    attempt(async () => {
      const call = client.GET('/api/emails/{id}/attachments.zip', {
        params: { path: { id } },
        parseAs: 'blob',
      })
      saveFile(await unwrapFile(call), `attachments-${id}.zip`)
    })
  return (
    <Button kind="quiet" size="small" busy={isBusy} onClick={() => void download()}>
      <Download size={16} aria-hidden="true" />
      {t.downloadAll}
    </Button>
  )
}

/** The name that the server gives to a calendar part without one. */
const UNNAMED_CALENDAR = /^attachment-\d+\.ics$/

export const Attachments = ({ email: { attachments: all, ...rest } }: { email: Email }) => {
  // The card of the invitation replaces the part that it was read from.
  const hasCard = useInvitation({ ...rest, attachments: all }).data !== undefined
  const attachments = hasCard ? all.filter(({ filename }) => !UNNAMED_CALENDAR.test(filename)) : all
  const email = { ...rest, attachments }
  const [opened, setOpened] = useState<number | null>(null)
  if (attachments.length === 0) return null
  return (
    <div className="attachment-area">
      <ul className="attachments" aria-label={t.attachments}>
        {attachments.map((attachment, index) => (
          <AttachmentItem
            key={attachment.id}
            email={email}
            attachment={attachment}
            onPreview={() => setOpened(index)}
          />
        ))}
      </ul>
      {attachments.length > 1 && <DownloadAll email={email} />}
      <AttachmentPreview email={email} index={opened} onMove={setOpened} onClose={() => setOpened(null)} />
    </div>
  )
}
