import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { sizeInWords } from '../attachment-bytes.ts'
import type { Attachment } from '../folders.ts'

export const AttachButton = ({ onFiles, busy }: { onFiles: (files: File[]) => void; busy: boolean }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Resets the input, so that the same file can be selected again.
          event.target.value = ''
        }}
      />
      <Button
        kind="quiet"
        shape="icon"
        busy={busy}
        aria-label="Attach files"
        onClick={() => input.current?.click()}
      >
        {!busy && <Paperclip size={18} aria-hidden="true" />}
      </Button>
    </>
  )
}

interface AttachedProps {
  attachments: readonly Attachment[]
  onRemove: (attachment: Attachment) => void
}

export const Attached = ({ attachments, onRemove }: AttachedProps) =>
  attachments.length === 0 ? null : (
    <ul className="attachments" aria-label="Attached files">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="attachment">
          <Paperclip size={16} aria-hidden="true" />
          <span className="attachment-name" title={attachment.filename}>
            {attachment.filename}
          </span>
          <span className="quiet small">{sizeInWords(attachment.size)}</span>
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Remove ${attachment.filename}`}
            onClick={() => onRemove(attachment)}
          >
            <X size={15} aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  )
