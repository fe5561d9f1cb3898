import { inTransaction } from '../../../database/transaction.ts'
import type { Visit } from '../../../platform/access/caller.ts'
import { AppError, invalid, notFound } from '../../../platform/errors.ts'
import { requireMatch, requireTag } from '../../../platform/http/etag.ts'
import type { Platform } from '../../../platform/platform.ts'
import { digest } from '../../../platform/secrets/seal.ts'
import { profileOf } from '../../auth/accounts.ts'
import type { Activity } from '../../auth/activity.ts'
import { getProfile, getUser, lockUser, updateUser } from '../../auth/repository.ts'

interface PictureSize {
  width: number
  height: number
}

const hasText = (bytes: Buffer, text: string, at: number): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

const readPngSize = (bytes: Buffer): PictureSize | undefined =>
  hasText(bytes, '\x89PNG\r\n\x1a\n', 0) && hasText(bytes, 'IHDR', 12) && bytes.length >= 24
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

/** Walks the segments up to the first frame header (ITU-T T.81, B.1.1). */
const readJpegSize = (bytes: Buffer): PictureSize | undefined => {
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    if (marker === 0xff) at++
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else if (marker === 0xd9 || marker === 0xda) return undefined
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** RFC 9649, 2.5 to 2.7. */
const readWebpSize = (bytes: Buffer): PictureSize | undefined => {
  if (bytes.length < 30) return undefined
  if (hasText(bytes, 'VP8 ', 12) && hasText(bytes, '\x9d\x01\x2a', 23))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (hasText(bytes, 'VP8L', 12) && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (hasText(bytes, 'VP8X', 12))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  return undefined
}

const READERS = { 'image/png': readPngSize, 'image/jpeg': readJpegSize, 'image/webp': readWebpSize }

type ImageType = keyof typeof READERS

/** Reads the size from the header. Returns undefined if the header is not readable. */
const readSize = (bytes: Buffer, type: ImageType): PictureSize | undefined => {
  const size = READERS[type](bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

export const MAX_AVATAR_BYTES = 2 * 1024 * 1024
const MAX_SIDE_PIXELS = 4096

const startsWith = (bytes: Buffer, hex: string, offset = 0): boolean =>
  bytes.subarray(offset, offset + hex.length / 2).toString('hex') === hex

/**
 * Detects the type by content and ignores the declared one. SVG can contain scripts, so it is not supported.
 */
const typeOf = (bytes: Buffer): ImageType | undefined => {
  if (startsWith(bytes, '89504e470d0a1a0a') && startsWith(bytes, '49484452', 12)) return 'image/png'
  if (startsWith(bytes, 'ffd8ff')) return 'image/jpeg'
  if (startsWith(bytes, '52494646') && startsWith(bytes, '57454250', 8)) return 'image/webp'
  return undefined
}

const unsupportedPicture = (): AppError =>
  new AppError(
    'unsupported',
    'unsupported_media_type',
    'The body is not a PNG, JPEG or WebP picture. Send one of these.',
  )

/** Checks the type only, not the size, because older versions stored pictures of any size. */
export const detectAvatar = (bytes: unknown): { contentType: ImageType; content: Buffer } => {
  const contentType = Buffer.isBuffer(bytes) ? typeOf(bytes) : undefined
  if (!Buffer.isBuffer(bytes) || !contentType) throw unsupportedPicture()
  return { contentType, content: bytes }
}

export const readAvatar = (bytes: unknown): { contentType: ImageType; content: Buffer } => {
  const { contentType, content } = detectAvatar(bytes)
  const size = readSize(content, contentType)
  if (!size) throw unsupportedPicture()
  if (Math.max(size.width, size.height) > MAX_SIDE_PIXELS)
    throw invalid(`The picture is too large. Its width and height must not exceed ${MAX_SIDE_PIXELS} pixels.`)
  return { contentType, content }
}

export type Profile = ReturnType<typeof createProfile>

/** The profile of an account: name and picture. */
export const createProfile = ({ db, clock }: Platform, activity: Activity) => {
  const now = () => clock.now().toISOString()
  return {
    get: async (userId: number) => profileOf(await getProfile(db, userId)),

    change: (userId: number, input: { name?: string }, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const user = await lockUser(tx, userId)
        requireMatch(ifMatch, user)
        if (input.name === undefined || input.name === user.name) return profileOf(user)
        await activity.record(tx, userId, visit, 'profile.changed', { fields: ['name'] })
        return profileOf(await updateUser(tx, user, { name: input.name }, now()))
      }),

    setAvatar: (userId: number, bytes: unknown, visit: Visit) =>
      inTransaction(db, async (tx) => {
        const { contentType, content } = readAvatar(bytes)
        const user = await lockUser(tx, userId)
        const row = { contentType, content: content.toString('base64') }
        await tx
          .insertInto('avatars')
          .values({ userId, ...row })
          .onConflict((existing) => existing.column('userId').doUpdateSet(row))
          .execute()
        await activity.record(tx, userId, visit, 'profile.changed', { fields: ['avatar'] })
        return profileOf(await updateUser(tx, user, { avatarHash: digest(content) }, now()))
      }),

    async getAvatar(userId: number) {
      const { avatarHash } = await getUser(db, userId)
      const avatar = await db
        .selectFrom('avatars')
        .selectAll()
        .where('userId', '=', userId)
        .executeTakeFirst()
      if (!avatar || avatarHash === null) throw notFound('picture')
      return {
        contentType: avatar.contentType,
        content: Buffer.from(avatar.content, 'base64'),
        hash: avatarHash,
      }
    },

    removeAvatar: (userId: number, visit: Visit, ifMatch: string | undefined) =>
      inTransaction(db, async (tx) => {
        const user = await lockUser(tx, userId)
        if (user.avatarHash === null) throw notFound('picture')
        requireTag(ifMatch, `"${user.avatarHash}"`)
        await tx.deleteFrom('avatars').where('userId', '=', userId).execute()
        await updateUser(tx, user, { avatarHash: null }, now())
        await activity.record(tx, userId, visit, 'profile.changed', { fields: ['avatar'] })
      }),
  }
}
