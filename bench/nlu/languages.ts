import { readFileSync } from 'node:fs'
import { identifyLanguage } from '../../src/nlu/language.ts'
import { type Rate, rate } from './data.ts'

const FILE = new URL('./mails/languages.txt', import.meta.url)

const readCases = (): { language: string; text: string }[] =>
  readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ language: line.slice(0, 2), text: line.slice(3) }))

export const scoreLanguages = (): Rate =>
  rate(readCases(), ({ language, text }) => identifyLanguage(text) === language)
