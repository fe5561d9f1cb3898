import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import * as t from '#locale/attachments'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useDates } from '../../../ui/time.tsx'
import { useLastValue } from '../../../ui/use-last-value.ts'
import { readAttachment, sizeInWords } from '../attachment-bytes.ts'
import { type Address, type Attachment, type Email, nameOf } from '../folders.ts'
import './attachment-preview.css'

type Preview = Shape<'AttachmentPreview'>

/** The browser displays these types by itself. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/
const PDF = /^application\/pdf$/
/** A larger file is not loaded into the page. */
const MAX_DISPLAYED_BYTES = 50_000_000

const useBlob = (email: Email, attachment: Attachment) => {
  const client = useClient()
  return useQuery({
    queryKey: ['attachment', email.id, attachment.id],
    queryFn: () => readAttachment(client, email.id, attachment),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

const Hint = ({ children }: { children: ReactNode }) => <p className="preview-hint">{children}</p>

/** Calls `children` with a URL of the file that exists as long as the component. */
const BlobUrl = ({ blob, children }: { blob: Blob; children: (url: string) => ReactNode }) => {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return url === null ? null : children(url)
}

const ImagePreview = ({ blob, filename }: { blob: Blob; filename: string }) => {
  const [isDamaged, setIsDamaged] = useState(false)
  if (isDamaged) return <Hint>{t.damagedImage}</Hint>
  return (
    <BlobUrl blob={blob}>
      {(url) => <img className="preview-image" src={url} alt={filename} onError={() => setIsDamaged(true)} />}
    </BlobUrl>
  )
}

const FilePreview = ({ email, attachment }: { email: Email; attachment: Attachment }) => {
  const { filename, contentType } = attachment
  return (
    <Loaded query={useBlob(email, attachment)}>
      {(blob) =>
        IMAGE.test(contentType) ? (
          <ImagePreview blob={blob} filename={filename} />
        ) : (
          <BlobUrl blob={blob}>
            {(url) => <iframe className="preview-frame" src={url} title={filename} />}
          </BlobUrl>
        )
      }
    </Loaded>
  )
}

const listNames = (addresses: readonly Address[]): string => addresses.map(nameOf).join(', ')

const EmailHead = ({ email }: { email: NonNullable<Preview['email']> }) => {
  const { dateTime } = useDates()
  return (
    <>
      <h3 className="preview-subject">{email.subject === '' ? t.noSubject : email.subject}</h3>
      <dl className="preview-fields">
        {email.from !== null && (
          <>
            <dt>{t.from}</dt>
            <dd>{nameOf(email.from)}</dd>
          </>
        )}
        {email.to.length > 0 && (
          <>
            <dt>{t.to}</dt>
            <dd>{listNames(email.to)}</dd>
          </>
        )}
        {email.date !== null && (
          <>
            <dt>{t.date}</dt>
            <dd>{dateTime(email.date)}</dd>
          </>
        )}
        {email.attachments.length > 0 && (
          <>
            <dt>{t.files}</dt>
            <dd>{email.attachments.join(', ')}</dd>
          </>
        )}
      </dl>
    </>
  )
}

const EventList = ({ events }: { events: NonNullable<Preview['events']> }) => {
  const { date, hours } = useDates()
  return (
    <ul className="preview-events">
      {events.map(({ title, start, end, allDay, location }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index}>
          <strong>{title === '' ? t.untitled : title}</strong>
          {start !== null && (
            <span>
              {date(start)}
              {!allDay && end !== null && `, ${hours(start, end)}`}
            </span>
          )}
          {location !== '' && <span className="quiet">{location}</span>}
        </li>
      ))}
    </ul>
  )
}

const TextArea = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
  <pre className="preview-text" tabIndex={0}>
    {text}
  </pre>
)

const ParsedPreview = ({ email, attachment }: { email: Email; attachment: Attachment }) => {
  const client = useClient()
  const query = useQuery({
    queryKey: ['attachment-preview', email.id, attachment.id],
    queryFn: () =>
      unwrap(
        client.GET('/api/emails/{id}/attachments/{attachmentId}/preview', {
          params: { path: { id: email.id, attachmentId: attachment.id } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Loaded query={query}>
      {({ kind, text, truncated, email: parsed, events }) =>
        kind === 'none' ? (
          <Hint>{t.noPreview}</Hint>
        ) : (
          <>
            {parsed !== null && <EmailHead email={parsed} />}
            {events !== null && <EventList events={events} />}
            {text !== null && <TextArea text={text} />}
            {truncated && <Hint>{t.truncated}</Hint>}
          </>
        )
      }
    </Loaded>
  )
}

const Content = ({ email, attachment }: { email: Email; attachment: Attachment }) => {
  const { contentType, size } = attachment
  const isPdf = PDF.test(contentType)
  if (isPdf && !navigator.pdfViewerEnabled) return <Hint>{t.noPdfViewer}</Hint>
  if (!isPdf && !IMAGE.test(contentType)) return <ParsedPreview email={email} attachment={attachment} />
  if (size > MAX_DISPLAYED_BYTES) return <Hint>{t.noPreview}</Hint>
  return <FilePreview email={email} attachment={attachment} />
}

interface AttachmentPreviewProps {
  email: Email
  /** The attachment that is displayed, or null while the dialog is closed. */
  index: number | null
  onMove: (index: number) => void
  onClose: () => void
}

/** Displays the attachments of an email, one at a time. The arrow keys go to the previous and the next. */
export const AttachmentPreview = ({ email, index, onMove, onClose }: AttachmentPreviewProps) => {
  const client = useClient()
  const { attachments } = email
  // The dialog keeps its content while it closes.
  const displayed = useLastValue(index) ?? 0
  const attachment = attachments[displayed]
  if (!attachment) return null
  const { filename, size } = attachment
  const move = (to: number): void => {
    if (to >= 0 && to < attachments.length) onMove(to)
  }
  const followArrows = ({ key, target }: KeyboardEvent): void => {
    if (target instanceof HTMLElement && target.closest('.preview-text, iframe') !== null) return
    if (key === 'ArrowLeft') move(displayed - 1)
    if (key === 'ArrowRight') move(displayed + 1)
  }
  return (
    <Dialog open={index !== null} onClose={onClose} title={filename} size="large">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons below do the same */}
      <div className="preview" onKeyDown={followArrows}>
        <div className="preview-content">
          {index !== null && <Content key={attachment.id} email={email} attachment={attachment} />}
        </div>
        <div className="preview-bar">
          <Button
            data-first
            onClick={async () => saveFile(await readAttachment(client, email.id, attachment), filename)}
          >
            <Download size={16} aria-hidden="true" />
            {t.downloadFile}
          </Button>
          <span className="quiet small">{sizeInWords(size)}</span>
          {attachments.length > 1 && (
            <div className="preview-moves">
              <IconButton
                icon={ChevronLeft}
                iconSize={18}
                label={t.previous}
                disabled={displayed === 0}
                onClick={() => move(displayed - 1)}
              />
              <span className="small">{t.position({ index: displayed + 1, count: attachments.length })}</span>
              <IconButton
                icon={ChevronRight}
                iconSize={18}
                label={t.next}
                disabled={displayed === attachments.length - 1}
                onClick={() => move(displayed + 1)}
              />
            </div>
          )}
        </div>
      </div>
    </Dialog>
  )
}
