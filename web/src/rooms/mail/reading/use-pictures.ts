import { useQuery, useQueryClient } from '@tanstack/react-query'
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

interface Size {
  width: number
  height: number
}

/** The measures of a picture. One that does not come in time has none, and is told of when it comes. */
const sizeOf = (src: string, onLate: (size: Size) => void = () => {}): Promise<Size> =>
  new Promise((resolve) => {
    const image = new Image()
    let isLate = false
    const done = () => {
      const size = { width: image.naturalWidth, height: image.naturalHeight }
      if (isLate) onLate(size)
      else resolve(size)
    }
    setTimeout(() => {
      done()
      isLate = true
    }, PATIENCE_MS)
    image.onload = done
    image.onerror = done
    image.referrerPolicy = 'no-referrer'
    image.src = src
  })

/** A picture from elsewhere; the measures of a late one are filled in when they are known. */
const measureRemote = async (address: string, onLate: () => void): Promise<[string, Picture]> => {
  const picture: Picture = { data: null, width: 0, height: 0 }
  const size = await sizeOf(addressOf(address), (late) => {
    Object.assign(picture, late)
    onLate()
  })
  return [address, Object.assign(picture, size)]
}

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
  const queries = useQueryClient()
  const own = ownImagesIn(html)
  const remote = loadsImages ? remoteImagesIn(html) : []
  const queryKey = ['pictures', own, remote]
  const showAgain = () =>
    queries.setQueryData<Map<string, Picture>>(queryKey, (known) => known && new Map(known))
  const { data, isPending } = useQuery({
    queryKey,
    queryFn: async () => {
      const read = own.map((address) => readOwn(client, address).catch(() => null))
      const fetched = remote.map((address) => measureRemote(address, showAgain))
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
