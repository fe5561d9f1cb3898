import { useQuery } from '@tanstack/react-query'
import type { Client } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import type { Picture } from './html-document.ts'

const MAX_BYTES = 8 * 1024 * 1024

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

const readOwn = async (client: Client, address: string): Promise<[string, Picture] | null> => {
  const [, id, attachmentId] = /^\/api\/emails\/(\d+)\/attachments\/([\w-]+)$/.exec(address) ?? []
  if (id === undefined || attachmentId === undefined) return null
  // The frame may load no address of the console, so the picture is inlined as a `data:` URL.
  const { data, response } = await client.GET('/api/emails/{id}/attachments/{attachmentId}', {
    params: { path: { id: Number(id), attachmentId } },
    parseAs: 'blob',
  })
  const blob = data as unknown as Blob | undefined
  if (!response.ok || !blob || blob.size > MAX_BYTES || !/^image\//.test(blob.type)) return null
  return [address, { data: await toDataUrl(blob) }]
}

const NONE: ReadonlyMap<string, Picture> = new Map()

/** Inline pictures of a message, by their address in its HTML. */
export const usePictures = (addresses: readonly string[]): ReadonlyMap<string, Picture> => {
  const client = useClient()
  const { data } = useQuery({
    queryKey: ['pictures', addresses],
    queryFn: async () => {
      const found = await Promise.all(addresses.map((address) => readOwn(client, address).catch(() => null)))
      return new Map(found.filter((each) => each !== null))
    },
    enabled: addresses.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}
