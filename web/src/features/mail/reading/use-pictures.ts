import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Client } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { addressOf, ownImagesIn, type Picture, remoteImagesIn } from './html-document.ts'

const MAX_BYTES = 8 * 1024 * 1024
const LOAD_TIMEOUT_MS = 8_000

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

/**
 * Loads the dimensions of a picture. After a timeout it resolves with zero and reports the dimensions through
 * `onLate`.
 */
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
    }, LOAD_TIMEOUT_MS)
    image.onload = done
    image.onerror = done
    image.referrerPolicy = 'no-referrer'
    image.src = src
  })

/** Measures a remote picture. Late dimensions are added when they arrive. */
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
  // The sandboxed frame has no token, so the picture is inlined as a `data:` URL.
  const { data, response } = await client.GET('/api/emails/{id}/attachments/{attachmentId}', {
    params: { path: { id: Number(id), attachmentId } },
    parseAs: 'blob',
  })
  const blob = data as unknown as Blob | undefined
  if (!response.ok || !blob || blob.size > MAX_BYTES || !/^image\//.test(blob.type)) return null
  const src = await dataOf(blob)
  return [address, { data: src, ...(await sizeOf(src)) }]
}

/** Pictures of a message: inline parts, and remote pictures if enabled. */
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
