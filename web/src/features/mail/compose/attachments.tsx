import { CircleAlert, Paperclip, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import * as t from '#locale/mail-compose'
import { useClient } from '../../../api/context.tsx'
import { describeError } from '../../../api/problem.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { readAttachment, sizeInWords, uploadFile } from '../attachment-bytes.ts'
import type { Attachment } from '../folders.ts'
import { toFileBytes } from './message-size.ts'
import type { Fields, Seed } from './seeds.ts'
import { listUsedAttachments } from './use-draft.ts'

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
          <IconButton
            icon={X}
            iconSize={15}
            label={t.removeFile(attachment.filename)}
            onClick={() => onRemove(attachment)}
          />
        </li>
      ))}
    </ul>
  )

/** The upload limit of the API. */
const MAX_FILE_BYTES = 25 * 1024 * 1024

/** Attaches copies of quoted attachments, files that the user selects, and images of the text. */
export const useFiles = (seed: Seed, edit: (changeOf: (before: Fields) => Partial<Fields>) => void) => {
  const client = useClient()
  const notify = useNotify()
  const [uploadCount, setUploadCount] = useState(0)
  const upload = async (
    file: Promise<Blob> | Blob,
    filename: string,
    isInline: boolean,
    copyOf?: string,
  ): Promise<Attachment | null> => {
    if ('size' in file && file.size > MAX_FILE_BYTES) {
      notify(t.fileTooLarge({ filename, limit: sizeInWords(MAX_FILE_BYTES) }), { failed: true })
      return null
    }
    setUploadCount((count) => count + 1)
    try {
      const added = await uploadFile(client, await file, filename)
      edit(({ attachments, inlineIds, copiedIds }) => ({
        attachments: [...attachments, added],
        ...(isInline && { inlineIds: [...inlineIds, added.id] }),
        ...(copyOf !== undefined && { copiedIds: { ...copiedIds, [copyOf]: added.id } }),
      }))
      return added
    } catch (error) {
      notify(t.couldNotAttach({ filename, error: describeError(error) }), { failed: true })
      return null
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
    const quoted = seed.fields.html ?? ''
    for (const attachment of attachments)
      void upload(
        readAttachment(client, emailId, attachment).then(
          (content) => new Blob([content], { type: attachment.contentType }),
        ),
        attachment.filename,
        quoted.includes(`/api/emails/${emailId}/attachments/${attachment.id}"`),
        attachment.id,
      )
  }, [])
  return {
    isUploading: uploadCount > 0,
    upload,
    addFiles: (files: File[]): void => {
      for (const file of files) void upload(file, file.name, false)
    },
  }
}

interface SizeLineProps {
  fields: Fields
  maxMessageBytes: number
  isTooLarge: boolean
}

/** The total size of the files, and the limit of the mail server. */
export const SizeLine = ({ fields, maxMessageBytes, isTooLarge }: SizeLineProps) => {
  const total = listUsedAttachments(fields).reduce((sum, { size }) => sum + size, 0)
  if (total === 0 && !isTooLarge) return null
  const sizes = { size: sizeInWords(total), limit: sizeInWords(toFileBytes(maxMessageBytes)) }
  return (
    <div role="status">
      {isTooLarge ? (
        <Notice tone="bad" icon={CircleAlert}>
          {t.tooLarge(sizes)}
        </Notice>
      ) : (
        <p className="quiet small">{t.totalSize(sizes)}</p>
      )}
    </div>
  )
}
