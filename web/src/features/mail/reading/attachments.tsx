import { Download, FileText, Image as ImageIcon, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useNotify } from '../../../ui/toast.tsx'
import { readAttachment, sizeInWords } from '../attachment-bytes.ts'
import type { Attachment, Email } from '../folders.ts'

const iconFor = (contentType: string) => {
  if (contentType.startsWith('image/')) return ImageIcon
  return /^text\/|pdf|word|document/.test(contentType) ? FileText : Paperclip
}

const AttachmentItem = ({ email, attachment }: { email: Email; attachment: Attachment }) => {
  const client = useClient()
  const notify = useNotify()
  const [isBusy, setIsBusy] = useState(false)
  const { filename, contentType, size } = attachment
  const Icon = iconFor(contentType)
  const save = async () => {
    setIsBusy(true)
    try {
      saveFile(await readAttachment(client, email.id, attachment), filename)
    } catch (error) {
      notify(describeError(error), { failed: true })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <li className="attachment">
      <Icon size={17} aria-hidden="true" />
      <span className="attachment-name" title={filename}>
        {filename}
      </span>
      <span className="quiet small">{sizeInWords(size)}</span>
      <Button
        kind="quiet"
        shape="icon"
        size="small"
        busy={isBusy}
        aria-label={`Download ${filename}, ${sizeInWords(size)}`}
        onClick={() => void save()}
      >
        {!isBusy && <Download size={16} aria-hidden="true" />}
      </Button>
    </li>
  )
}

export const Attachments = ({ email }: { email: Email }) =>
  email.attachments.length === 0 ? null : (
    <ul className="attachments" aria-label="Attachments">
      {email.attachments.map((attachment) => (
        <AttachmentItem key={attachment.id} email={email} attachment={attachment} />
      ))}
    </ul>
  )
