import { useRef } from 'react'
import { useClient } from '../../../api/context.tsx'
import { readAttachment } from '../attachment-bytes.ts'
import type { Attachment } from '../folders.ts'

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** Loads and stores the images of the text. */
export const useImages = (
  savedId: () => number | null,
  uploadFile: (file: Blob, filename: string, isInline: boolean) => Promise<Attachment | null>,
) => {
  const client = useClient()
  /** Uploads cannot be read before the draft contains them. */
  const uploads = useRef(new Map<string, Blob>())

  const read = async (src: string): Promise<Blob | null> => {
    const [, emailId, attachmentId] = /^\/api\/emails\/(\d+)\/attachments\/([\w-]+)$/.exec(src) ?? []
    if (emailId !== undefined && attachmentId !== undefined)
      return readAttachment(client, Number(emailId), { id: attachmentId })
    const [, id = ''] = /^cid:([\w-]+)$/.exec(src) ?? []
    const draftId = savedId()
    const upload = uploads.current.get(id)
    if (upload || id === '' || draftId === null) return upload ?? null
    return readAttachment(client, draftId, { id })
  }

  return {
    /** The image as a `data:` URL. Remote images are not loaded, so that no sender learns of it. */
    async load(src: string): Promise<string | null> {
      if (src.startsWith('data:')) return src
      const blob = await read(src).catch(() => null)
      return blob && toDataUrl(blob)
    },
    async upload(image: Blob, name: string): Promise<string | null> {
      const attachment = await uploadFile(image, name, true)
      if (attachment) uploads.current.set(attachment.id, image)
      return attachment?.id ?? null
    },
  }
}
