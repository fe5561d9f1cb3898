import { decodeWords } from './encoded-words.ts'
import { fieldsNamed, type HeaderField } from './header-fields.ts'
import { areSigned } from './signatures.ts'
import { withoutComments } from './uncommented.ts'

/** A way to leave a list, as its mails name it. */
export type WayOut =
  | { by: 'one-click'; url: string }
  | { by: 'mail'; address: string; subject: string; text: string }
  | { by: 'page'; url: string }

/** The mailing list that a message came by. */
export interface MailingList {
  /** Its List-Id (RFC 2919); where it has none, the sender's address. */
  id: string
  /** Empty when it is not told. */
  name: string
  /** How it is left best. */
  unsubscribe: WayOut['by'] | null
}

const LONGEST_ID = 255
const LONGEST_NAME = 200
const LONGEST_URL = 2_000
/** Of List-Unsubscribe; nobody has more to say. */
const LONGEST_FIELD = 20_000
const MOST_URLS = 10
const LONGEST_SUBJECT = 500
const LONGEST_TEXT = 5_000

/** RFC 2369: in angle brackets, separated by commas; folding may have put spaces into them. What has none says nothing. */
const urlsIn = (fields: readonly string[]): string[] =>
  fields
    .flatMap((field) =>
      [...withoutComments(field.slice(0, LONGEST_FIELD)).matchAll(/<([^<>]{1,4000})>/g)].map(([, url]) =>
        (url as string).replace(/\s+/g, ''),
      ),
    )
    .filter((url) => url.length <= LONGEST_URL)
    .slice(0, MOST_URLS)

const pageOf = (text: string): URL | undefined => {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  return url && url.hostname !== '' && url.username === '' && url.password === '' ? url : undefined
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const ADDRESS = /^[^\s@<>,;:"()[\]\\]{1,200}@[^\s@<>,;:"()[\]\\]{1,200}$/

/** RFC 6068. Of what it asks to be written only the subject and the text are: copies would go to whomever it likes. */
const letterOf = (text: string): Extract<WayOut, { by: 'mail' }> | undefined => {
  const [, to, query = ''] = /^mailto:([^?]*)(?:\?(.*))?$/is.exec(text) ?? []
  const address = decoded((to ?? '').split(',', 1)[0] ?? '')
  if (!ADDRESS.test(address)) return undefined
  const asked = new Map(
    query.split('&').map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [name.toLowerCase(), decoded(value.join('='))]
    }),
  )
  const subject = (asked.get('subject') ?? '').replace(/\s+/g, ' ').trim()
  return {
    ...{ by: 'mail', address },
    subject: subject.slice(0, LONGEST_SUBJECT).toWellFormed() || 'unsubscribe',
    text: (asked.get('body') ?? '').slice(0, LONGEST_TEXT).toWellFormed(),
  }
}

/** RFC 8058, 4: only where what says so is signed, and the signature is known to be true. */
const mayBeOneClick = (fields: readonly HeaderField[]): boolean => {
  const posts = fieldsNamed(fields, 'list-unsubscribe-post')
  return (
    posts.length === 1 &&
    /^List-Unsubscribe=One-Click$/i.test(posts[0] as string) &&
    fieldsNamed(fields, 'list-unsubscribe').length === 1 &&
    areSigned(fields, ['list-unsubscribe', 'list-unsubscribe-post'])
  )
}

/** The ways to leave the list, the best first and each once. */
export const waysOutOf = (fields: readonly HeaderField[]): WayOut[] => {
  const urls = urlsIn(fieldsNamed(fields, 'list-unsubscribe'))
  const pages = urls.flatMap((url) => pageOf(url) ?? [])
  const [letter] = urls.flatMap((url) => letterOf(url) ?? [])
  const post = mayBeOneClick(fields) ? pages.find(({ protocol }) => protocol === 'https:') : undefined
  const page = pages.find(({ protocol }) => protocol === 'https:') ?? pages[0]
  return [
    ...(post ? [{ by: 'one-click', url: post.href } as const] : []),
    ...(letter ? [letter] : []),
    ...(page ? [{ by: 'page', url: page.href } as const] : []),
  ]
}

const ID = /^[\x21-\x3b=\x3f-\x7e]+$/

/** RFC 2919: a name, if it has one, and the id in angle brackets; some leave these off. */
const listIdIn = (fields: readonly HeaderField[]): { id: string; name: string } | undefined => {
  const field = (fieldsNamed(fields, 'list-id').at(-1) ?? '').slice(0, LONGEST_FIELD)
  const open = field.lastIndexOf('<')
  const id = (open < 0 ? field : field.slice(open + 1).replace(/>.*$/s, '')).replace(/\s+/g, '').toLowerCase()
  if (id === '' || id.length > LONGEST_ID || !ID.test(id) || (open < 0 && /\s/.test(field))) return undefined
  const phrase =
    open < 0
      ? ''
      : field
          .slice(0, open)
          .trim()
          .replace(/^"(.*)"$/s, '$1')
  return { id, name: decodeWords(phrase).replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME) }
}

/** The list that a message came by, if it says that it came by one. */
export const mailingListOf = (fields: readonly HeaderField[], sender: string): MailingList | null => {
  const [best] = waysOutOf(fields)
  const named = listIdIn(fields)
  if (!named && !best) return null
  const id = named?.id ?? sender.toLowerCase()
  return id === '' || id.length > LONGEST_ID
    ? null
    : { id, name: named?.name ?? '', unsubscribe: best?.by ?? null }
}
