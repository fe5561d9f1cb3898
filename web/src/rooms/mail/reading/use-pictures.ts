import { useQuery } from '@tanstack/react-query'
import type { Client } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { addressOf, ownImagesIn, type Picture, remoteImagesIn } from './html-document.ts'

const LARGEST = 8 * 1024 * 1024
const PATIENCE_MS = 8_000

const dataOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** The measures of a picture; one that does not come in time has none. */
const sizeOf = (src: string): Promise<{ width: number; height: number }> =>
  new Promise((resolve) => {
    const image = new Image()
    const done = () => resolve({ width: image.naturalWidth, height: image.naturalHeight })
    setTimeout(done, PATIENCE_MS)
    image.onload = done
    image.onerror = done
    image.referrerPolicy = 'no-referrer'
    image.src = src
  })

const readOwn = async (client: Client, address: string): Promise<[string, Picture] | null> => {
  const [, id, attachmentId] = /^\/api\/emails\/(\d+)\/attachments\/([\w-]+)$/.exec(address) ?? []
  if (id === undefined || attachmentId === undefined) return null
  // The frame may ask for nothing, and has no token: the bytes are brought to it.
  const { data, response } = await client.GET('/api/emails/{id}/attachments/{attachmentId}', {
    params: { path: { id: Number(id), attachmentId } },
    parseAs: 'blob',
  })
  const blob = data as unknown as Blob | undefined
  if (!response.ok || !blob || blob.size > LARGEST || !/^image\//.test(blob.type)) return null
  const src = await dataOf(blob)
  return [address, { data: src, ...(await sizeOf(src)) }]
}

/** The pictures of a message: those that are part of it, and those from elsewhere once they are asked for. */
export const usePictures = (html: string, loadsImages: boolean) => {
  const client = useClient()
  const own = ownImagesIn(html)
  const remote = loadsImages ? remoteImagesIn(html) : []
  const { data, isPending } = useQuery({
    queryKey: ['pictures', own, remote],
    queryFn: async () => {
      const read = own.map((address) => readOwn(client, address).catch(() => null))
      const fetched = remote.map(
        async (address): Promise<[string, Picture]> => [
          address,
          { data: null, ...(await sizeOf(addressOf(address))) },
        ],
      )
      const found = await Promise.all([...read, ...fetched])
      return new Map(found.filter((each) => each !== null))
    },
    enabled: own.length + remote.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return {
    pictures: data ?? NONE,
    isLoading: own.length + remote.length > 0 && isPending,
  }
}

const NONE: ReadonlyMap<string, Picture> = new Map()
