import { AppError, invalid } from '../../../platform/errors.ts'
import { type ImageType, pictureSize } from './picture-size.ts'

export const LARGEST_AVATAR = 2 * 1024 * 1024
const LARGEST_SIDE = 4096

const startsWith = (bytes: Buffer, hex: string, offset = 0): boolean =>
  bytes.subarray(offset, offset + hex.length / 2).toString('hex') === hex

/** What the bytes are, whatever their sender calls them. SVG is a program and never taken. */
const typeOf = (bytes: Buffer): ImageType | undefined => {
  if (startsWith(bytes, '89504e470d0a1a0a') && startsWith(bytes, '49484452', 12)) return 'image/png'
  if (startsWith(bytes, 'ffd8ff')) return 'image/jpeg'
  if (startsWith(bytes, '52494646') && startsWith(bytes, '57454250', 8)) return 'image/webp'
  return undefined
}

const noPicture = (): AppError =>
  new AppError('unsupported', 'unsupported_media_type', 'Send a picture: PNG, JPEG or WebP.')

/** By what they are alone: an earlier version took any size. */
export const knowAvatar = (bytes: unknown): { contentType: ImageType; content: Buffer } => {
  const contentType = Buffer.isBuffer(bytes) ? typeOf(bytes) : undefined
  if (!Buffer.isBuffer(bytes) || !contentType) throw noPicture()
  return { contentType, content: bytes }
}

export const readAvatar = (bytes: unknown): { contentType: ImageType; content: Buffer } => {
  const { contentType, content } = knowAvatar(bytes)
  const size = pictureSize(content, contentType)
  if (!size) throw noPicture()
  if (Math.max(size.width, size.height) > LARGEST_SIDE)
    throw invalid(`The picture must not be wider or higher than ${LARGEST_SIDE} pixels.`)
  return { contentType, content }
}
