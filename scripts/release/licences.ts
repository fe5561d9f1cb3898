import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Package } from './packages.ts'

/** Licences that allow distribution with a notice. A package with another one stops the release. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** Returns the SPDX expression of a package. Throws if none of its alternatives is accepted. */
export const readLicence = ({ manifest }: Package): string => {
  const { license, licenses } = manifest
  const stated =
    (typeof license === 'string' ? license : license?.type) ??
    licenses?.map(({ type }) => type).join(' OR ') ??
    ''
  const alternatives = stated.replace(/^\(|\)$/g, '').split(' OR ')
  if (!alternatives.some((alternative) => ACCEPTED.has(alternative)))
    throw new Error(
      `The licence of ${manifest.name}@${manifest.version} is not in the list of accepted licences: "${stated}".`,
    )
  return stated
}

/** Such as LICENSE, LICENSE-MIT, license.txt, NOTICE.md. */
export const LICENCE_FILE =
  /^(licen[cs]e|copying|notice|copyright)[^.]*(\.(md|markdown|txt|mit|bsd|apache2))?$/i

const readTexts = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())

const RULE = '='.repeat(80)

/** Writes the licence texts of all packages. Packages with the same text share one copy. */
export const collectLicences = (packages: readonly Package[]): string => {
  const byText = new Map<string, string[]>()
  for (const each of packages) {
    const { name, version, author } = each.manifest
    const licence = readLicence(each)
    const texts = readTexts(each.folder)
    const holder = typeof author === 'string' ? author : author?.name
    const text =
      texts.join('\n\n') ||
      `The package states its licence without a text.${holder ? ` Author: ${holder}` : ''}`
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`])
  }
  const sections = [...byText].map(([text, names]) => `${RULE}\n${names.join('\n')}\n${RULE}\n\n${text}\n`)
  return `Factotum contains these packages. Each is used under its own licence.\n\n${sections.join('\n')}`
}
