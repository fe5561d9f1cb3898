import { expect, it } from 'vitest'
import { readMessage } from './message.ts'

const GREETING = 'Grüße aus Köln, schöner Müßiggang'
const utf8 = Buffer.from(GREETING)
const latin1 = Buffer.from(GREETING, 'latin1')

const message = (header: string, ...body: (string | Buffer)[]): Buffer =>
  Buffer.concat(
    [`From: a@example.org\r\nSubject: Hi\r\n${header}\r\n`, ...body, '\r\n'].map((part) => Buffer.from(part)),
  )
const typed = (type: string): string => `Content-Type: ${type}\r\nContent-Transfer-Encoding: 8bit\r\n`
const quoted = (bytes: Buffer): string =>
  [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

it.each([
  ['UTF-8 that calls itself ASCII', typed('text/plain; charset=us-ascii'), utf8],
  ['Latin-1 that calls itself ASCII', typed('text/plain; charset="US-ASCII"'), latin1],
  ['Latin-1 that calls itself UTF-8', typed('text/plain; charset=utf-8'), latin1],
  ['Latin-1 without a charset', typed('text/plain'), latin1],
  ['Latin-1 without a type', '', latin1],
  ['UTF-8 without a type', '', utf8],
])('%s is read', async (_, header, body) => {
  expect((await readMessage(message(header, body))).text?.trim()).toBe(GREETING)
})

it('Latin-1 in the parts of a message that call it UTF-8 is read, and what is attached stays as it is', async () => {
  const attached = Buffer.from([0xef, 0xbf, 0xbd, 0xe9])
  const parts = [
    typed('text/plain; charset=UTF-8').replace('8bit', 'quoted-printable'),
    `\r\n${quoted(latin1)}\r\n--b\r\n`,
    typed('text/html; charset="utf-8"'),
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

it('UTF-8 of which a letter was cut off, or that has the sign for one that could not be read, stays UTF-8', async () => {
  const cut = message(typed('text/plain; charset=utf-8'), utf8, utf8.subarray(0, 3))
  expect((await readMessage(cut)).text).toContain(GREETING)
  const signed = message(typed('text/plain; charset=utf-8'), `${GREETING} \ufffd`)
  expect((await readMessage(signed)).text?.trim()).toBe(`${GREETING} \ufffd`)
})

it('Windows-1252 that says so keeps what only looks like UTF-8', async () => {
  const shown = Buffer.from('Er sah GrÃ¼ÃŸe'.replace('Ÿ', '\x9f'), 'latin1')
  const { text } = await readMessage(message(typed('text/plain; charset=windows-1252'), shown))
  expect(text?.trim()).toBe('Er sah GrÃ¼ÃŸe')
})
