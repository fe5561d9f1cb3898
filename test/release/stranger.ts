import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import { calendar, card, mbox, zip } from '../support/import-files.ts'
import { type Machine, SITE } from './machine.ts'
import { VERSION } from './versions.ts'

/* Steps of a person who has the files of a release and its documentation, and nothing else. */

/** The address is that of the examples in the documentation. */
const ACCOUNT = { email: 'ana@example.org', password: 'correct horse battery', name: 'Ana' }

/** A file of the release. */
export const releaseFile = (suffix: string, build = 'first', version = VERSION): string =>
  join(inject('scratch'), build, `factotum-${version}${suffix}`)

/** The blocks of commands in a section of the documentation that the release contains. */
export const readCommands = (page: string, heading: string, version = VERSION): string[][] => {
  const text = readFileSync(join(inject('scratch'), 'unpacked', 'docs', page), 'utf8')
  const section = text.split(/^##? /m).find((each) => each.startsWith(`${heading}\n`)) ?? ''
  const blocks = [...section.matchAll(/^```(?:sh)?\n([\s\S]*?)^```/gm)].map(([, block = '']) =>
    block.replaceAll(VERSION, version).trim().split('\n'),
  )
  if (blocks.length === 0) throw new Error(`docs/${page} has no commands under "${heading}".`)
  return blocks
}

/** Finds the command of a section that contains a text. */
export const readCommand = (page: string, heading: string, text: string, version?: string): string => {
  const command = readCommands(page, heading, version)
    .flat()
    .find((each) => each.includes(text))
  if (command === undefined) throw new Error(`docs/${page} has no command with "${text}".`)
  return command
}

export const register = (machine: Machine, site = SITE): string => {
  const { status, body } = machine.request(`${site}/api/auth/register`, { body: ACCOUNT })
  expect({ status, body }).toMatchObject({ status: 201 })
  return (body as { token: string }).token
}

export const signIn = (machine: Machine, site = SITE): string => {
  const { email, password } = ACCOUNT
  const { status, body } = machine.request(`${site}/api/auth/login`, { body: { email, password } })
  expect({ status, body }).toMatchObject({ status: 200 })
  return (body as { token: string }).token
}

export const writeTakeout = async (path: string): Promise<void> => {
  const files = {
    'Takeout/Mail/All mail Including Spam and Trash.mbox': mbox({ id: 'one', subject: 'Hello' }),
    'Takeout/Contacts/All/All.vcf': card('Ben Okafor', 'ben@example.net'),
    'Takeout/Calendar/Work.ics': calendar('Team meeting'),
  }
  writeFileSync(path, await zip(files), { mode: 0o644 })
}

/** Signs in, and compares the data with that of the Takeout. */
export const expectTakeout = (machine: Machine, site = SITE): void => {
  const token = signIn(machine, site)
  const { body: mail } = machine.request(`${site}/api/emails`, { token })
  expect(mail).toMatchObject({ emails: [{ subject: 'Hello' }] })
  const { body: events } = machine.request(`${site}/api/calendar/events?start=2020-03-01&end=2020-04-01`, {
    token,
  })
  expect(events).toMatchObject({ events: [{ title: 'Team meeting' }] })
}

/** Opens the manual, which is a part of the release. */
export const expectManual = (machine: Machine, site = SITE): void => {
  const { status, body } = machine.request(`${site}/help/install.html`)
  expect({ status, body }).toMatchObject({ status: 200, body: expect.stringContaining('Install Factotum') })
}
