import { Paperclip, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/mail-compose'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { readAttachment, sizeInWords, uploadFile } from '../attachment-bytes.ts'
import type { Attachment } from '../folders.ts'
import type { Seed } from './seeds.ts'

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
        aria-label={t.attachFiles}
        title={t.attachFiles}
        onClick={() => input.current?.click()}
      >
        {!busy && <Paperclip size={18} aria-hidden="true" />}
      </Button>
    </>
  )
}

interface AttachedFilesProps {
  attachments: readonly Attachment[]
  onRemove: (attachment: Attachment) => void
}

export const AttachedFiles = ({ attachments, onRemove }: AttachedFilesProps) =>
  attachments.length === 0 ? null : (
    <ul className="attachments" aria-label={t.attachedFiles}>
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
            aria-label={t.removeFile(attachment.filename)}
            onClick={() => onRemove(attachment)}
          >
            <X size={15} aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  )

/** Attaches the files of a forwarded email and files that the user selects. */
export const useFiles = (seed: Seed, onAdded: (file: Attachment) => void) => {
  const client = useClient()
  const notify = useNotify()
  const [uploadCount, setUploadCount] = useState(0)
  const add = async (file: Promise<Blob> | Blob, filename: string): Promise<void> => {
    setUploadCount((count) => count + 1)
    try {
      onAdded(await uploadFile(client, await file, filename))
    } catch (error) {
      notify(t.couldNotAttach({ filename, error: describeError(error) }), { failed: true })
    } finally {
      setUploadCount((count) => count - 1)
    }
  }
  const hasStarted = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => {
    if (hasStarted.current || !seed.copies) return
    hasStarted.current = true
    const { emailId, attachments } = seed.copies
    for (const attachment of attachments)
      void add(
        readAttachment(client, emailId, attachment).then(
          (content) => new Blob([content], { type: attachment.contentType }),
        ),
        attachment.filename,
      )
  }, [])
  return {
    isUploading: uploadCount > 0,
    addFiles: (files: File[]): void => {
      for (const file of files) void add(file, file.name)
    },
  }
}
