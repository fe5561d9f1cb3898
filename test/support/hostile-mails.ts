/* Mail that was made to cost its reader time or memory. Each is below the API limit of 25 MiB. */

const MEGABYTE = 1024 * 1024

/** A hostile mail with its name. Created on demand: all together would fill the memory. */
export interface HostileMail {
  name: string
  make(): Buffer
}

const HEAD = [
  'From: Mallory <mallory@example.org>',
  'To: Ana <ana@example.org>',
  'Date: Sun, 1 Mar 2026 14:00:00 +0200',
  'MIME-Version: 1.0',
]

let made = 0

/**
 * Creates a message with these fields and this body. Each has a unique id, because equal messages are stored
 * once.
 */
export const hostileMessage = (fields: string[], body: string | Buffer): Buffer => {
  const subject = `Subject: hostile ${++made}`
  const head = [...HEAD, subject, `Message-ID: <hostile-${made}@example.org>`, ...fields, '', ''].join('\r\n')
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    Buffer.isBuffer(body) ? body : Buffer.from(body, 'latin1'),
  ])
}

const repeat = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length))
const plain = (charset: string, encoding = '8bit'): string[] => [
  `Content-Type: text/plain; charset=${charset}`,
  `Content-Transfer-Encoding: ${encoding}`,
]
const HTML = ['Content-Type: text/html; charset=utf-8']
const multipart = (boundary: string, type = 'mixed'): string[] => [
  `Content-Type: multipart/${type}; boundary="${boundary}"`,
]

const nestedParts = (depth: number): string => {
  let body = ''
  for (let level = 1; level <= depth; level++)
    body += `--b${level - 1}\r\nContent-Type: multipart/mixed; boundary="b${level}"\r\n\r\n`
  return `${body}--b${depth}\r\n\r\nthe innermost text\r\n`
}

/** Messages that once blocked the server for seconds. */
const SEEN: HostileMail[] = [
  { name: '1 MB of empty lines', make: () => Buffer.from('\n'.repeat(MEGABYTE)) },
  { name: '20 MB of empty lines', make: () => hostileMessage([], '\n'.repeat(20 * MEGABYTE)) },
  {
    name: 'us-ascii with 20 MB of 8-bit bytes',
    make: () => hostileMessage(plain('us-ascii'), Buffer.alloc(20 * MEGABYTE, 0xe9)),
  },
  {
    name: 'iso-2022-jp with 4 MB of escapes',
    make: () => hostileMessage(plain('iso-2022-jp'), repeat('\x1b$B\x1b(B', 4 * MEGABYTE)),
  },
  { name: 'utf-7 of 4 MB', make: () => hostileMessage(plain('utf-7'), repeat('+AOk-', 4 * MEGABYTE)) },
  {
    name: 'base64 in lines of 4 characters, 20 MB',
    make: () => hostileMessage(plain('utf-8', 'base64'), repeat('YWFh\r\n', 20 * MEGABYTE)),
  },
  {
    name: '24 MB of words',
    make: () => hostileMessage(plain('utf-8'), repeat('word and more ', 24 * MEGABYTE)),
  },
  {
    name: 'quoted-printable of 20 MB',
    make: () => hostileMessage(plain('utf-8', 'quoted-printable'), repeat('=C3=A9', 20 * MEGABYTE)),
  },
  {
    name: '1,800 nested div with 1 MB of </b>',
    make: () => hostileMessage(HTML, `${'<div>'.repeat(1800)}${repeat('</b>', MEGABYTE)}`),
  },
  {
    name: 'a style of nested braces',
    make: () => hostileMessage(HTML, `<p style="${repeat('a{b{c{d{', 400_000)}">text</p>`),
  },
  { name: '1 MB of quoted lines', make: () => hostileMessage(plain('utf-8'), repeat('> > > a\n', MEGABYTE)) },
  { name: 'many brackets in Cc', make: () => hostileMessage([`Cc: ${repeat('<,', 250_000)}`], 'text') },
  {
    name: 'many unfinished encoded words',
    make: () =>
      hostileMessage([`Cc: ${repeat('=?u?q?', 250_000)}`, `To: ${repeat('=?u?q?', 200_000)}`], 'text'),
  },
  {
    name: '8 MB of Cyrillic without spaces',
    make: () => hostileMessage(plain('utf-8'), Buffer.from('ж'.repeat(4 * MEGABYTE))),
  },
  {
    name: '17,000 different long words',
    make: () =>
      hostileMessage(
        plain('utf-8'),
        Array.from({ length: 17_000 }, (_, n) => n.toString(16).padStart(64, 'f')).join('\r\n'),
      ),
  },
]

/** Others of the same kind. */
const MORE: HostileMail[] = [
  { name: 'parts within 5,000 parts', make: () => hostileMessage(multipart('b0'), nestedParts(5_000)) },
  {
    name: '200,000 parts',
    make: () => hostileMessage(multipart('b'), `${repeat('--b\r\n\r\nx\r\n', 2 * MEGABYTE)}--b--`),
  },
  {
    name: '8 million lines that look like delimiters',
    make: () => hostileMessage(multipart('b'), `--b\r\n\r\n${repeat('--\n', 24 * MEGABYTE)}`),
  },
  {
    name: 'a header of 170,000 fields',
    make: () => Buffer.concat([Buffer.from(repeat('a:\r\n', MEGABYTE)), hostileMessage([], 'text')]),
  },
  {
    name: 'a header of 1 MB of folded lines',
    make: () => hostileMessage([`X-Folded: a${repeat('\r\n b', MEGABYTE)}`], 'text'),
  },
  {
    name: 'a name of colons after an at sign',
    make: () => hostileMessage([`To: ${repeat('x ', 120_000)}@${repeat(' :', 120_000)}`], 'text'),
  },
  {
    name: '500 KB of HTML attributes with styles',
    make: () => hostileMessage(HTML, repeat('<p style="color:red;margin:0">a</p>', 500_000)),
  },
  {
    name: 'HTML with 100,000 unclosed comments and tags',
    make: () => hostileMessage(HTML, repeat('<!--<a <', 500_000)),
  },
  {
    name: 'HTML tables within 20,000 tables',
    make: () => hostileMessage(HTML, repeat('<table><tr><td>', 300_000)),
  },
  {
    name: 'text with 200,000 links and dates',
    make: () =>
      hostileMessage(
        plain('utf-8'),
        repeat('Meet me on Friday at 5 pm http://example.org/a?b=c or by 3 March\n', MEGABYTE),
      ),
  },
  {
    name: 'parameters with 10,000 sections',
    make: () =>
      hostileMessage(
        [
          `Content-Type: text/plain${Array.from({ length: 10_000 }, (_, n) => `;\r\n name*${n}*=%41`).join('')}`,
        ],
        'text',
      ),
  },
  {
    name: 'a letter with a million accents',
    make: () => hostileMessage(plain('utf-8'), Buffer.from(`a${'\u0301'.repeat(MEGABYTE)}`)),
  },
]

export const HOSTILE_MAILS: readonly HostileMail[] = [...SEEN, ...MORE]
