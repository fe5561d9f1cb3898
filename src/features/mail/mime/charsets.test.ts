import { expect, it } from 'vitest'
import { readMessage } from './message.ts'

const GREETING = 'Grüße aus Köln, schöner Müßiggang'
const utf8 = Buffer.from(GREETING)
const latin1 = Buffer.from(GREETING, 'latin1')

const message = (header: string, ...body: (string | Buffer)[]): Buffer =>
  Buffer.concat(
    [`From: a@example.org\r\nSubject: Hi\r\n${header}\r\n`, ...body, '\r\n'].map((part) => Buffer.from(part)),
  )
const contentHeaders = (type: string): string =>
  `Content-Type: ${type}\r\nContent-Transfer-Encoding: 8bit\r\n`
const toQuotedPrintable = (bytes: Buffer): string =>
  [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

it.each([
  ['UTF-8 labelled as ASCII', contentHeaders('text/plain; charset=us-ascii'), utf8],
  ['Latin-1 labelled as ASCII', contentHeaders('text/plain; charset="US-ASCII"'), latin1],
  ['Latin-1 labelled as UTF-8', contentHeaders('text/plain; charset=utf-8'), latin1],
  ['Latin-1 without a charset', contentHeaders('text/plain'), latin1],
  ['Latin-1 without a content type', '', latin1],
  ['UTF-8 without a content type', '', utf8],
])('reads %s', async (_, header, body) => {
  expect((await readMessage(message(header, body))).text?.trim()).toBe(GREETING)
})

it('reads Latin-1 parts labelled as UTF-8 and keeps attachments unchanged', async () => {
  const attached = Buffer.from([0xef, 0xbf, 0xbd, 0xe9])
  const parts = [
    contentHeaders('text/plain; charset=UTF-8').replace('8bit', 'quoted-printable'),
    `\r\n${toQuotedPrintable(latin1)}\r\n--b\r\n`,
    contentHeaders('text/html; charset="utf-8"'),
    '\r\n<p>',
    latin1,
    '</p>\r\n--b\r\nContent-Disposition: attachment; filename=a.bin\r\n',
    'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n',
    `${attached.toString('base64')}\r\n--b--`,
  ]
  const read = await readMessage(
    message('Content-Type: multipart/mixed; boundary=b\r\n', '\r\n--b\r\n', ...parts),
  )
  expect(read.text?.trim()).toContain(GREETING)
  expect(read.html).toContain(GREETING)
  expect(read.attachments[0]?.content).toEqual(attached)
})

it('reads UTF-8 with a truncated or a replacement character as UTF-8', async () => {
  const cut = message(contentHeaders('text/plain; charset=utf-8'), utf8, utf8.subarray(0, 3))
  expect((await readMessage(cut)).text).toContain(GREETING)
  const signed = message(contentHeaders('text/plain; charset=utf-8'), `${GREETING} \ufffd`)
  expect((await readMessage(signed)).text?.trim()).toBe(`${GREETING} \ufffd`)
})

it('keeps text labelled as Windows-1252 that looks like UTF-8', async () => {
  const bytes = Buffer.from('Er sah GrÃ¼ÃŸe'.replace('Ÿ', '\x9f'), 'latin1')
  const { text } = await readMessage(message(contentHeaders('text/plain; charset=windows-1252'), bytes))
  expect(text?.trim()).toBe('Er sah GrÃ¼ÃŸe')
})
