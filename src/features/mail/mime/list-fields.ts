import { areSigned } from './authentication.ts'
import { decodeWords, fieldsNamed, type HeaderField, replaceComments } from './header-fields.ts'

/** A method of unsubscribing that a message of the list names. */
export type UnsubscribeMethod =
  | { by: 'one-click'; url: string }
  | { by: 'mail'; address: string; subject: string; text: string }
  | { by: 'page'; url: string }

/** The mailing list that sent a message. */
export interface MailingList {
  /** The List-Id (RFC 2919), or the sender's address if there is none. */
  id: string
  /** Empty if the list does not state a name. */
  name: string
  /** The preferred method. */
  unsubscribe: UnsubscribeMethod['by'] | null
}

const MAX_ID_LENGTH = 255
const MAX_NAME_LENGTH = 200
const MAX_URL_LENGTH = 2_000
/** Limit for List-Unsubscribe. */
const MAX_FIELD_LENGTH = 20_000
const MAX_URLS = 10
const MAX_SUBJECT_LENGTH = 500
const MAX_TEXT_LENGTH = 5_000

/**
 * RFC 2369: URLs in angle brackets, separated by commas. Folding may have inserted spaces. Text outside
 * brackets is ignored.
 */
const listUrls = (fields: readonly string[]): string[] =>
  fields
    .flatMap((field) =>
      [...replaceComments(field.slice(0, MAX_FIELD_LENGTH)).matchAll(/<([^<>]{1,4000})>/g)].map(([, url]) =>
        (url as string).replace(/\s+/g, ''),
      ),
    )
    .filter((url) => url.length <= MAX_URL_LENGTH)
    .slice(0, MAX_URLS)

const parsePageUrl = (text: string): URL | undefined => {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  return url && url.hostname !== '' && url.username === '' && url.password === '' ? url : undefined
}

const decodePercent = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,200}@[^\s@<>,;:"()[\]\\]{1,200}$/

/** RFC 6068. Uses only subject and body. Other parameters could add arbitrary recipients. */
const parseMailto = (text: string): Extract<UnsubscribeMethod, { by: 'mail' }> | undefined => {
  const [, to, query = ''] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(text) ?? []
  const address = decodePercent((to ?? '').split(',', 1)[0] ?? '')
  if (!ADDRESS.test(address)) return undefined
  const parameters = new Map(
    query.split('&').map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [name.toLowerCase(), decodePercent(value.join('='))]
    }),
  )
  const subject = (parameters.get('subject') ?? '').replace(/\s+/g, ' ').trim()
  return {
    by: 'mail',
    address,
    subject: subject.slice(0, MAX_SUBJECT_LENGTH).toWellFormed() || 'unsubscribe',
    text: (parameters.get('body') ?? '').slice(0, MAX_TEXT_LENGTH).toWellFormed(),
  }
}

/** RFC 8058, section 4: one-click requires a verified signature that covers both fields. */
const mayBeOneClick = (fields: readonly HeaderField[]): boolean => {
  const posts = fieldsNamed(fields, 'list-unsubscribe-post')
  return (
    posts.length === 1 &&
    /^List-Unsubscribe=One-Click$/i.test(posts[0] as string) &&
    fieldsNamed(fields, 'list-unsubscribe').length === 1 &&
    areSigned(fields, ['list-unsubscribe', 'list-unsubscribe-post'])
  )
}

/** The methods to unsubscribe, in order of preference, each at most once. */
export const listUnsubscribeMethods = (fields: readonly HeaderField[]): UnsubscribeMethod[] => {
  const urls = listUrls(fieldsNamed(fields, 'list-unsubscribe'))
  const pages = urls.flatMap((url) => parsePageUrl(url) ?? [])
  const [mailto] = urls.flatMap((url) => parseMailto(url) ?? [])
  const oneClick = mayBeOneClick(fields) ? pages.find(({ protocol }) => protocol === 'https:') : undefined
  const page = pages.find(({ protocol }) => protocol === 'https:') ?? pages[0]
  return [
    ...(oneClick ? [{ by: 'one-click', url: oneClick.href } as const] : []),
    ...(mailto ? [mailto] : []),
    ...(page ? [{ by: 'page', url: page.href } as const] : []),
  ]
}

const ID = /^[\x21-\x3b=\x3f-\x7e]+$/

/** RFC 2919: an optional name, and the id in angle brackets. Some lists omit the brackets. */
const readListId = (fields: readonly HeaderField[]): { id: string; name: string } | undefined => {
  const field = (fieldsNamed(fields, 'list-id').at(-1) ?? '').slice(0, MAX_FIELD_LENGTH)
  const open = field.lastIndexOf('<')
  const id = (open < 0 ? field : field.slice(open + 1).replace(/>.*$/s, '')).replace(/\s+/g, '').toLowerCase()
  if (id === '' || id.length > MAX_ID_LENGTH || !ID.test(id) || (open < 0 && /\s/.test(field)))
    return undefined
  const phrase =
    open < 0
      ? ''
      : field
          .slice(0, open)
          .trim()
          .replace(/^"(.*)"$/s, '$1')
  return { id, name: decodeWords(phrase).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_LENGTH) }
}

/** The mailing list of a message, or null if the message has no list fields. */
export const readMailingList = (fields: readonly HeaderField[], sender: string): MailingList | null => {
  const [best] = listUnsubscribeMethods(fields)
  const listId = readListId(fields)
  if (!listId && !best) return null
  const id = listId?.id ?? sender.toLowerCase()
  return id === '' || id.length > MAX_ID_LENGTH
    ? null
    : { id, name: listId?.name ?? '', unsubscribe: best?.by ?? null }
}
