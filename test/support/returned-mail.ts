/** Returns the text of a mail that nodemailer encoded as quoted-printable or sent unencoded. */
export const textIn = (raw: string): string =>
  raw
    .slice(raw.indexOf('\r\n\r\n') + 4)
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=')

const base64 = (text: string | Buffer): string =>
  Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n')

/** With folded lines. */
const SIGNATURE = /^X-Factotum-Signature:.*\r\n(?:[ \t].*\r\n)*/m

/** Removes the header that the server signed. */
export const withoutSignature = (raw: string): string => raw.replace(SIGNATURE, '')

const withMessageId = (raw: string, id: string): string =>
  raw.replace(/^Message-ID:.*$/m, `Message-ID: <${id}@relay.example>`)

const message = (subject: string, headers: readonly string[], body: string): string =>
  [
    'From: Relay <relay@example.test>',
    'To: ana@example.test',
    `Subject: ${subject}`,
    `Message-ID: <${subject.replaceAll(' ', '-')}@relay.example>`,
    'MIME-Version: 1.0',
    ...headers,
    '',
    body,
    '',
  ].join('\r\n')

const plain = ['Content-Type: text/plain; charset=utf-8']
const html = ['Content-Type: text/html; charset=utf-8']

/** Returns the forms that relays, mail programs and servers make of a mail with a link, by name. */
export const returnedForms = (raw: string): Record<string, string> => {
  const text = textIn(raw)
  const link = /https?:\/\/\S+#\S+/.exec(text)?.[0] ?? ''
  const reference = /Reference: (\S+)/.exec(text)?.[1] ?? ''
  const bare = withoutSignature(raw)
  const eml = 'Content-Type: message/rfc822'
  const parts = (kind: string) => [`Content-Type: multipart/${kind}; boundary=b`]
  return {
    'the Message-ID rewritten': withMessageId(raw, 'rewritten'),
    'the Message-ID rewritten and the signature removed': withMessageId(bare, 'rewritten-and-bare'),
    'the link replaced and the signature removed': message(
      'replaced link',
      plain,
      text.replace(link, 'https://protect.example/s/Ab3dE'),
    ),
    'the signature alone left': message(
      'signature alone',
      [SIGNATURE.exec(raw)?.[0].trimEnd() as string],
      'This message was replaced.',
    ),
    'forwarded with quotation marks and hard line breaks': message(
      'Fwd',
      plain,
      `> ${link.replace(/.{40}/g, '$&\r\n> ')}`,
    ),
    'forwarded as an attachment': message(
      'Fwd attached',
      parts('mixed'),
      `--b\r\n${eml}\r\n\r\n${bare}\r\n--b--`,
    ),
    'forwarded as an encoded file': message(
      'Fwd file',
      parts('mixed'),
      `--b\r\nContent-Type: application/octet-stream; name=mail.eml\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bare)}\r\n--b--`,
    ),
    'returned as undeliverable': message(
      'Undelivered',
      ['Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
      `--b\r\nContent-Type: text/plain\r\n\r\nNo such user.\r\n--b\r\n${eml}\r\n\r\n${raw}\r\n--b--`,
    ),
    'in base64': message('base64', [...plain, 'Content-Transfer-Encoding: base64'], base64(text)),
    'in base64 of UTF-16': message(
      'utf-16',
      ['Content-Type: text/plain; charset=utf-16le', 'Content-Transfer-Encoding: base64'],
      base64(Buffer.from(link, 'utf16le')),
    ),
    'with the link in another link': message(
      'safe link',
      html,
      `<a href="https://safe.example/?url=${encodeURIComponent(link)}&amp;data=1">Open</a>`,
    ),
    'with the link encoded in another link': message(
      'encoded link',
      plain,
      `https://safe.example/v3/${Buffer.from(link).toString('base64url')}/x`,
    ),
    'with the link in capitals': message('capitals', plain, link.toUpperCase()),
    'as HTML with character references': message(
      'references',
      html,
      `<p>${[...link].map((letter) => `&#${letter.charCodeAt(0)};`).join('')}</p>`,
    ),
    'as HTML with breaks': message('breaks', html, `<p>${link.replace(/.{9}/g, '$&<wbr>')}</p>`),
    'in quoted-printable that escapes every letter': message(
      'escaped',
      [...plain, 'Content-Transfer-Encoding: quoted-printable'],
      [...link].map((letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase()}`).join(''),
    ),
    'with the reference alone': message('reference alone', plain, reference),
    'behind a megabyte of text': message(
      'long',
      plain,
      `${'Nothing to see here.\r\n'.repeat(50_000)}${link}`,
    ),
    'in a message that cannot be read': `\x01\x02${'\n--'.repeat(6_000)}\r\n${link}`,
  }
}
