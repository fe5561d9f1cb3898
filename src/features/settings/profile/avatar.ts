import { AppError, invalid } from '../../../platform/errors.ts'

export const LARGEST_AVATAR = 2 * 1024 * 1024
const LARGEST_SIDE = 4096

type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

const startsWith = (bytes: Buffer, hex: string, offset = 0): boolean =>
  bytes.subarray(offset, offset + hex.length / 2).toString('hex') === hex

/** What the bytes are, whatever their sender calls them. SVG is a program and never taken. */
const typeOf = (bytes: Buffer): ImageType | undefined => {
  if (startsWith(bytes, '89504e470d0a1a0a') && startsWith(bytes, '49484452', 12)) return 'image/png'
  if (startsWith(bytes, 'ffd8ff')) return 'image/jpeg'
  if (startsWith(bytes, '52494646') && startsWith(bytes, '57454250', 8)) return 'image/webp'
  return undefined
}

export const readAvatar = (bytes: unknown): { contentType: ImageType; content: Buffer } => {
  const contentType = Buffer.isBuffer(bytes) ? typeOf(bytes) : undefined
  if (!Buffer.isBuffer(bytes) || !contentType)
    throw new AppError('unsupported', 'unsupported_media_type', 'Send a picture: PNG, JPEG or WebP.')
  const isHuge =
    contentType === 'image/png' && Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) > LARGEST_SIDE
  if (isHuge) throw invalid(`The picture must not be wider or higher than ${LARGEST_SIDE} pixels.`)
  return { contentType, content: bytes }
}
