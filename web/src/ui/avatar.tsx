import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { pictureQuery } from '../api/account.ts'
import { useClient } from '../api/context.tsx'
import './style/avatar.css'

/** An object URL for a blob, revoked on unmount. */
export const useBlobUrl = (blob: Blob | null | undefined): string | null => {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return setUrl(null)
    const objectUrl = URL.createObjectURL(blob)
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [blob])
  return url
}

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  )
  return letters.join('').toUpperCase()
}

interface AvatarProps {
  name: string
  avatarUrl: string | null
  size?: 'small' | 'middle' | 'large'
  /** A selected picture that is not uploaded yet. */
  preview?: Blob | null
}

/** Hidden from screen readers: the name is always shown beside it. */
export const Avatar = ({ name, avatarUrl, size = 'small', preview = null }: AvatarProps) => {
  const { data } = useQuery(pictureQuery(useClient(), avatarUrl))
  const url = useBlobUrl(preview ?? (avatarUrl === null ? null : data))
  return (
    <span className="avatar" data-size={size} aria-hidden="true">
      {url ? <img src={url} alt="" /> : initialsOf(name)}
    </span>
  )
}
