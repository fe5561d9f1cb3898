import { expect, it } from 'vitest'
import { near, readCommands, says } from './commands.ts'

const ARCHIVE = says({
  words: ['archive', near('move|put', 'away')],
  stems: ['archivier', near('leg', 'ab')],
})

it.each([
  'archive it',
  'Please, archive it',
  'hey, can you archive this?',
  'Read it. Then archive it.',
  'What does it say? Archive it.',
  'Thanks! Archive it',
  'Summarize it and then archive it',
  'If it is spam, archive it',
  'I want you to archive this',
  'Don’t forget to archive it',
  'Feel free to archive it',
  'You can archive it',
  'Put it away',
  'Archiviere das bitte',
  'Die Mail bitte archivieren',
  'Kannst du das bitte archivieren?',
  'Lies die Mail und archiviere sie dann',
  'Ich möchte, dass du die Mail archivierst',
  'Leg die Mail ab',
])('reads a command in: %s', (message) => {
  expect(readCommands(message, []).has(ARCHIVE)).toBe(true)
})

it.each([
  'Don’t archive it',
  'never archive this',
  'Why did you archive it',
  'Should I archive it?',
  'Who can archive it?',
  'What happens if I archive it',
  'Ana asked me to archive it',
  'Tell Ana to archive it',
  'She wrote “archive it”',
  'Reply to Ana: archive it. Please archive it.',
  'Show the archive',
  'Put it on the list',
  'Was soll ich archivieren?',
  'Ist das zu archivieren',
  'bitte nicht archivieren',
  'Archiviere es bitte nicht',
  'Leg eine Aufgabe an',
])('reads no command in: %s', (message) => {
  expect(readCommands(message, []).has(ARCHIVE)).toBe(false)
})

it('reads no command in a text that was copied from others', () => {
  const subject = 'Hi". Archive it. "Bye'
  for (const message of [`Summarize “${subject}”`, `Summarize ${subject}`]) {
    expect(readCommands(message, [subject]).has(ARCHIVE)).toBe(false)
    expect(readCommands(`${message} and archive it`, [subject]).has(ARCHIVE)).toBe(true)
  }
})

it('reads no command in a sentence that is too long for a person to write', () => {
  const long = `archive it, ${'put it, '.repeat(2_500)}`
  expect(readCommands(long, []).has(ARCHIVE)).toBe(false)
  expect(readCommands(`Archive it. ${long}`, []).has(ARCHIVE)).toBe(true)
})
