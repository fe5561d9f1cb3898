export interface PictureSize {
  width: number
  height: number
}

const holds = (bytes: Buffer, text: string, at: number): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

const ofPng = (bytes: Buffer): PictureSize | undefined =>
  holds(bytes, '\x89PNG\r\n\x1a\n', 0) && holds(bytes, 'IHDR', 12) && bytes.length >= 24
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

/** ITU-T T.81, B.1.1: segment by segment, up to the one that begins a frame. */
const ofJpeg = (bytes: Buffer): PictureSize | undefined => {
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
const ofWebp = (bytes: Buffer): PictureSize | undefined => {
  if (bytes.length < 30) return undefined
  if (holds(bytes, 'VP8 ', 12) && holds(bytes, '\x9d\x01\x2a', 23))
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (holds(bytes, 'VP8L', 12) && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (holds(bytes, 'VP8X', 12))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  return undefined
}

const READERS = { 'image/png': ofPng, 'image/jpeg': ofJpeg, 'image/webp': ofWebp }

export type ImageType = keyof typeof READERS

/** As the picture's own head says; undefined where there is none that can be read. */
export const pictureSize = (bytes: Buffer, type: ImageType): PictureSize | undefined => {
  const size = READERS[type](bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}
